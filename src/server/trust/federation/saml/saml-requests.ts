import { buildHref } from '../../../../contract/build-href.ts';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { hashSecret, generateSecret } from '../../../platform/keys/random-secrets.ts';
import type { PendingConsentRequest, PendingAuthenticationRequest } from '../clients/pending-request.ts';
import { maxSamlMessageAgeMs } from './authenticate-saml-message.ts';
import type { AuthnRequest } from './authn-request.ts';
import { selectScopesOfAuthnRequest } from './saml-response.ts';
import { samlPaths, SamlError, samlClockSkewMs } from './saml-constants.ts';
import type { ServiceProvider, ServiceProviderStore } from './service-providers.ts';

export interface StoredAuthnRequest {
  readonly hash: string;
  readonly provider: ServiceProvider;
  readonly request: AuthnRequest;
  readonly relayState: string | null;
  readonly isRefused: boolean;
  readonly sessionId: string | null;
  readonly createdAt: Date;
}

type Dependencies = Readonly<{ store: DatabaseStore; clock: Clock }>;

export function recordLogoutRequest(
  dependencies: Dependencies,
  provider: ServiceProvider,
  id: string,
  browser: string,
): Promise<boolean> {
  const content = { browser, request: '{}', relay_state: null, answered_at: dependencies.clock.now() };
  return recordMessageId(dependencies, provider, id, { processState: generateSecret(), ...content });
}

async function recordMessageId(
  { store, clock }: Dependencies,
  provider: ServiceProvider,
  id: string,
  {
    processState,
    browser,
    ...content
  }: Pick<Database['saml_requests'], 'browser' | 'request' | 'relay_state' | 'answered_at'> & { processState: string },
): Promise<boolean> {
  const now = clock.now();
  const noted = await store.db
    .insertInto('saml_requests')
    .values({
      hash: hashSecret(processState),
      browser: hashSecret(browser),
      provider: provider.registration.id,
      message_id: id,
      ...content,
      refused: false,
      created_at: now,
      expires_at: addSeconds(now, (maxSamlMessageAgeMs + samlClockSkewMs) / 1000), // a message from a clock that is ahead stays valid for longer
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst();
  return noted !== undefined;
}

export function createSamlRequestStore(parts: Dependencies & { readonly providers: ServiceProviderStore }) {
  const { store, clock, providers } = parts;
  const find = async (processState: string): Promise<(StoredAuthnRequest & { browser: string }) | null> => {
    const row = await store.db
      .selectFrom('saml_requests')
      .selectAll()
      .where('hash', '=', hashSecret(processState))
      .where('answered_at', 'is', null)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    const provider = row && (await providers.findCurrent(row.provider, clock.now()));
    if (!row || !provider) return null;
    const { hash, browser, relay_state: relayState, session_id: sessionId, refused, created_at: createdAt } = row;
    const request = JSON.parse(row.request) as AuthnRequest; // the cast is safe: only this store writes the value
    return { hash, browser, provider, request, relayState, sessionId, isRefused: refused, createdAt };
  };
  const describe = (processState: string, { provider, request }: StoredAuthnRequest): PendingAuthenticationRequest => ({
    clientId: provider.registration.id,
    clientName: provider.registration.name,
    requiredNid: request.context.nid ?? 0,
    maxAgeS: request.forceAuthn ? 0 : null,
    resumePath: buildHref(samlPaths.send, { process_state: processState }),
    legacy: false,
  });
  return {
    /** Stores a request and returns its `process_state`. Throws a `SamlError` if it is a replay. */
    async storeRequest({
      provider,
      request,
      relayState,
      browser,
    }: Pick<StoredAuthnRequest, 'provider' | 'request' | 'relayState'> & { browser: string }): Promise<string> {
      const processState = generateSecret();
      const content = { browser, request: JSON.stringify(request), relay_state: relayState, answered_at: null };
      const isFirst = await recordMessageId({ store, clock }, provider, request.id, { processState, ...content });
      if (!isFirst) throw new SamlError('the request came before');
      return processState;
    },
    /** Finds a request. Returns `null` if it is unknown, belongs to another browser, has expired, or has a response. */
    async findRequestOfBrowser(processState: string, browser: string | undefined): Promise<StoredAuthnRequest | null> {
      const found = await find(processState);
      return found !== null && browser !== undefined && found.browser === hashSecret(browser) ? found : null;
    },
    async bindConsentSession({ hash }: StoredAuthnRequest, sessionId: string): Promise<void> {
      await store.db.updateTable('saml_requests').set({ session_id: sessionId }).where('hash', '=', hash).execute();
    },
    async findRequest(processState: string) {
      const found = await find(processState);
      return found && describe(processState, found);
    },
    async findRequestAwaitingConsent(processState: string, sessionId: string): Promise<PendingConsentRequest | null> {
      const found = await find(processState);
      if (found === null || found.sessionId === null || found.sessionId !== sessionId) return null;
      return { ...describe(processState, found), scopes: selectScopesOfAuthnRequest(found.request, found.provider) };
    },
    recordConsent: async () => {}, // the consent is already stored, and is read when the request continues
    async recordRefusal(processState: string) {
      const found = await find(processState);
      if (found === null) return null;
      await store.db.updateTable('saml_requests').set({ refused: true }).where('hash', '=', found.hash).execute();
      return describe(processState, found);
    },
  };
}
