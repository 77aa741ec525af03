import { choiceKeys, portalConstants } from '../contract/constants.ts';
import type { PortalFacts } from '../contract/rule-facts.ts';
import { formatDateInWords } from '../contract/format/date-in-words.ts';
import { buildHref } from '../contract/build-href.ts';
import type { EmbeddedPageData } from '../contract/page-data.ts';
import { pagePaths } from '../contract/page-paths.ts';
import type { Language, PortalConfig } from '../contract/portal-config.ts';
import {
  readTokenCitizenId,
  readStoredState,
  readTokenClaims,
  type StateStorage,
  type TokenClaims,
} from '../domain/stored-state.ts';
import type { SessionEndReason, PortalStore } from '../domain/root-store.ts';
import { isObject, type ValuesByName } from '../engine/core/json.ts';
import type { OperationFailure, OperationInput, OperationResult } from '../engine/core/operation-result.ts';
import type { OperationResponseState } from '../engine/react/widget.ts';
import type { EngineServices } from '../engine/react/engine-context.ts';
import type { FlowServices } from '../engine/runtime/flow-services.ts';
import { InterruptedEventStore } from '../engine/runtime/interrupted-event.ts';
import { getServerTime } from './session/server-clock.ts';
import { ObservableValue } from '../engine/core/observable-value.ts';
import { IdleWatch } from './session/idle-watch.ts';
import { PortalDefinitions } from './navigation/portal-definitions.ts';
import { PortalNavigation } from './navigation/portal-navigation.ts';
import { safeStorage } from './session/safe-storage.ts';
import { ResponseCache } from './navigation/response-cache.ts';
import { buildLogoutUrl, readSessionEndTime } from './session/session-end.ts';
import { type TranslateFunction, type PortalTexts, createTranslate, loadAccountTexts } from './portal-texts.ts';
import { buildPortalFacts } from './portal-facts.ts';
import { loadModuleWithRetry } from './navigation/load-module.ts';
import { canReachServer, reloadPageIfReachable } from './navigation/reload-page.ts';
import { PendingRequestAnnouncer } from './shell/pending-request-announcer.ts';

/** Returns `null` if a confirmation cannot resolve the failure. */
export type ConfirmationHandler = (
  failure: OperationFailure,
  repeat: (confirmation?: string) => Promise<OperationResult>,
) => Promise<OperationResult> | null;

/** Services for flows and screens. Store and client load at the first operation, so that they delay no page. */
export class Portal {
  #page: EmbeddedPageData;
  #texts: PortalTexts;
  #t: TranslateFunction;
  #accountTexts: Promise<void> | null = null;
  /** Whether the server prerenders the page. It does so only for an anonymous visitor. */
  readonly isPrerendering: boolean;
  readonly engine: Omit<EngineServices, 'Link'>;
  /** Language of the page. Changes after the flows have been re-rendered in the new language. */
  readonly language: ObservableValue<Language>;
  readonly flows: FlowServices;
  readonly sources: ResponseCache;
  readonly status = new PendingRequestAnnouncer();
  readonly idle: IdleWatch;
  /** Whether the broker is unreachable after the token has expired. The page then shows a message, and the session does not end. */
  readonly isBrokerUnreachable = new ObservableValue(false);
  readonly definitions: PortalDefinitions;
  readonly navigation: PortalNavigation;
  #confirmation: ConfirmationHandler | null = null;
  #store: Promise<PortalStore> | null = null;
  openedStore: PortalStore | null = null;
  #user: unknown = null;
  #carriedValues: ValuesByName = {};
  #signatureObstacle: PortalFacts['signatureObstacle'] = null;

  /** `texts`: texts in the language of the page. `storage`: replacement of the browser's storage for prerendering. */
  constructor(page: EmbeddedPageData, texts: PortalTexts, storage: StateStorage = safeStorage) {
    const claims = (at: Date): TokenClaims | null => readTokenClaims(readStoredState(storage).token, at);
    this.#page = page;
    this.language = new ObservableValue(page.language);
    this.isPrerendering = storage !== safeStorage;
    this.#texts = texts;
    this.#t = createTranslate(texts);
    const definitions = new PortalDefinitions(page.manifest);
    const navigation = new PortalNavigation(page.config, definitions);
    this.definitions = definitions;
    this.navigation = navigation;
    const sources = new ResponseCache(page.data, (call, params) => this.#invoke(call, { params }));
    this.sources = sources;
    this.idle = new IdleWatch({
      storage,
      clock: getServerTime,
      idleMs: page.config.sessionIdleS * 1000,
      warningMs: portalConstants.idleWarningS * 1000,
      // Also reads the end from an expired token, because the session may continue after the device was asleep.
      getSessionEnd: () => readSessionEndTime(claims(new Date(0))),
      onSessionOver: () => this.#endSession('over'),
    });
    this.engine = {
      load: async (call, params = {}) => {
        const answer = await this.#invoke(call, { params });
        if (!answer.ok) throw new Error(answer.failure.error);
        return answer.result;
      },
      source: (call, params) => sources.get(call, params),
      subscribe: (call, listener, params = {}) =>
        sources.subscribe(call, params, () => {
          listener();
          this.#leaveFailed(sources.get(call, params));
        }),
      retry: (call, params = {}) => sources.discard(call, params),
      reload: () => void reloadPageIfReachable(),
      wait: (text) => this.status.announcePending(text),
      now: getServerTime,
      formatDate: (date) => formatDateInWords(date, this.page.language, getServerTime().toISOString()),
      timeZone: portalConstants.timeZone,
      t: (key, values) => this.t(key, values),
      snackbarMs: portalConstants.snackbarMs,
      choiceKeys,
      titled: (title) => `${title} - ${page.config.brand.product}`,
    };
    this.flows = {
      loadScreen: (id, ahead) => definitions.loadScreen(id, ahead),
      refresh: () => definitions.reloadManifest(this.page.language),
      invoke: (call, input) => this.#invoke(call, input),
      t: this.engine.t,
      facts: () =>
        buildPortalFacts(page.config, this.#user, claims(getServerTime()) !== null, this.#signatureObstacle, {
          carried: this.#carriedValues,
          language: this.page.language,
        }),
      interrupted: new InterruptedEventStore(
        ({ code }) =>
          code === 'verificacion_requerida' && isObject(this.#user) && this.#user['identidad_verificada'] === true,
      ),
      carry: (values) => void (this.#carriedValues = { ...this.#carriedValues, ...values }),
      recall: (flow) => readStoredState(storage).flows[flow] ?? {},
      remember: (flow, context) => void this.store().then((store) => store.storeFlowContext(flow, context)),
      navigate: (path, { replace, state }) =>
        void navigation.navigate?.(path === '' ? { search: '' } : buildHref(path), { replace, state }),
      getUserId: () => {
        const { token, isRenewalPending } = readStoredState(storage);
        return isRenewalPending ? undefined : readTokenCitizenId(token);
      },
      now: getServerTime,
      goBack: () => navigation.goBack(),
      leave: (address, options) => navigation.leave(address, options),
    };
  }

  get page(): EmbeddedPageData {
    return this.#page;
  }

  get config(): PortalConfig {
    return this.#page.config;
  }

  /** Translation function of the portal. A change of language replaces it, so that components re-render. */
  get t(): TranslateFunction {
    return this.#t;
  }

  /** Changes the language of the page, and on the server. Keeps location and input. Rejects if the language cannot be loaded. */
  async changeLanguage(language: Language): Promise<void> {
    await (
      await import('./change-language.ts')
    ).loadAndApplyLanguage(language, this.definitions.readyRunners(), ({ texts, manifest }) => {
      this.#setTexts(texts);
      this.definitions.replaceManifest(manifest);
      this.#page = { ...this.#page, language, manifest, data: {} };
      this.sources.clear();
    });
    this.language.set(language);
  }

  /** Sets the handler for requests that need a confirmation. Returns a function that removes the handler. */
  readonly setConfirmationHandler = (confirmation: ConfirmationHandler): (() => void) => {
    this.#confirmation = confirmation;
    return () => {
      this.#confirmation = null;
    };
  };

  store(): Promise<PortalStore> {
    this.#store ??= loadModuleWithRetry(() => import('./session/open-portal-store.ts'), 'never')
      .then(
        ({ openPortalStore: openStore }) =>
          (this.openedStore = openStore(this, this.idle, this.isBrokerUnreachable, {
            onSessionLost: (ended) => this.#endSession(ended),
            onUser: (user, obstacle) => {
              this.#user = user;
              this.#signatureObstacle = obstacle;
            },
          })),
      )
      .catch((error: unknown) => {
        this.#store = null; // so that the next operation loads the store again
        throw error;
      });
    return this.#store;
  }

  async loadCitizen(): Promise<PortalStore> {
    const [store] = await Promise.all([this.store(), this.#loadAccountTexts()]);
    if (store.userState !== 'Exito' || !store.session.authenticated) await store.loadUser();
    return store;
  }

  #setTexts(texts: PortalTexts): void {
    this.#texts = texts;
    this.#t = createTranslate(texts);
  }

  #loadAccountTexts(): Promise<void> {
    this.#accountTexts ??= loadAccountTexts(this.page.language)
      .then((account) => this.#setTexts({ ...this.#texts, ...account }))
      .catch((error: unknown) => {
        this.#accountTexts = null;
        throw error;
      });
    return this.#accountTexts;
  }

  async staySignedIn(): Promise<void> {
    this.idle.extendSession();
    await this.#renew(await this.store(), true);
  }

  /** Renews the token. Reloads the page if another citizen has signed in with this browser. */
  async #renew(store: PortalStore, active = false): Promise<void> {
    if ((await store.renewTokenSerially(active)) === 'other') window.location.reload();
  }

  /** Redirects to the logout, which clears the stored data and links back to this page. */
  #endSession(ended: SessionEndReason): void {
    if (this.definitions.resolveRoute(window.location.pathname)?.path !== pagePaths.logout)
      this.navigation.leave(buildLogoutUrl(window.location, ended));
  }

  /** Redirects to the set-up of a second factor, which the citizen's new assurance level requires. Afterwards the citizen returns to this page. */
  #requireFactor(store: PortalStore): void {
    store.invalidateUser();
    const { pathname, search } = window.location;
    this.navigation.leave(buildHref(pagePaths.secondFactorReminder, { redirect_uri: decodeURI(pathname) + search }));
  }

  async #invoke(call: string, input: OperationInput): Promise<OperationResult> {
    if (this.isPrerendering) return new Promise(() => undefined); // never resolves while prerendering, because the browser loads the data
    const store = await this.store().catch(() => null);
    // If the store cannot be loaded, returns a failure instead of reloading the page, whose form may be partly filled.
    if (!store) {
      const error = this.t((await canReachServer()) ? 'stale' : 'offline');
      return { ok: false, failure: { status: 0, error, errors: {}, outdated: false } };
    }
    // Renews a token that expired while the device was asleep. The server would reject the expired token although the
    // session may continue.
    if (store.session.token !== null && !store.session.authenticated) await this.#renew(store);
    const { token } = store.session;
    let answered = await store.perform(call, input);
    if (!answered.ok && answered.failure.status === 401) {
      await this.#renew(store); // ends the session if the broker refuses the renewal
      // Repeats the operation with the new token. A proof of identity in another tab has invalidated the previous
      // token.
      if (store.session.token !== token && store.session.token !== null) answered = await store.perform(call, input);
    }
    const repeat: Parameters<ConfirmationHandler>[1] = (confirmation) =>
      store.perform(call, { ...input, confirmation });
    const answer = (!answered.ok && (await this.#confirmation?.(answered.failure, repeat))) || answered;
    if (!answer.ok && answer.failure.code === 'segundo_factor_pendiente') {
      this.#requireFactor(store);
      const { next: _, ...failure } = answer.failure; // removes `next`, because the set-up would return to it instead of this page
      return { ok: false, failure };
    }
    return answer;
  }

  /** Does not redirect after a network error, because the component shows a retry button (section 8.1). */
  #leaveFailed(source: OperationResponseState): void {
    if (source.state !== 'failed' || source.status < 400) return;
    this.navigation.leave(
      buildHref(pagePaths.error, { errorCode: source.status === 404 ? 'NOT_FOUND_ERROR' : 'SERVER_ERROR' }),
      {
        replace: true,
      },
    );
  }
}
