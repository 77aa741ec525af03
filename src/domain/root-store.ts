import { onSnapshot, types, type Instance, type SnapshotIn } from 'mobx-state-tree';
import {
  findOperationRefusal,
  isForeignIdentityProvider,
  type CallerAttributes,
} from '../contract/operation-access.ts';
import {
  apiContract,
  isOperationName,
  type OperationResponse,
  type OperationBody,
  type OperationName,
} from '../contract/contract.ts';
import type { FeatureFlags } from '../contract/feature-flags.ts';
import type { OperationInput, OperationResult, OperationFailure } from '../engine/core/operation-result.ts';
import type { ValuesByName } from '../engine/core/json.ts';
import { storeResponseHandlers, type StoredResponses } from './response-handlers.ts';
import { getPortalStoreDependencies, type PortalStoreDependencies, Session } from './session.ts';
import { clearStoredState, readStoredState, writeStoredState } from './stored-state.ts';
import { findRouteRefusal, type RouteRefusal } from './route-access.ts';
import { LoadState, User } from './user.ts';

const callStates = ['pending', 'success', 'error'] as const;

const OperationStatus = types.model('OperationStatus', {
  state: types.enumeration('CallState', [...callStates]),
  failure: types.maybeNull(types.frozen<OperationFailure>()),
});

const OperationLog = types.model('OperationLog', { operations: types.map(OperationStatus) }).actions((self) => ({
  record(operation: string, state: (typeof callStates)[number], failure: OperationFailure | null = null): void {
    self.operations.set(operation, { state, failure });
  },
}));

const RootStore = types
  .model('RootStore', {
    session: types.optional(Session, { token: null }),
    user: types.maybeNull(User),
    userState: types.optional(LoadState, 'Pendiente'),
    mfa: types.frozen<StoredResponses['mfa']>(null),
    applications: types.frozen<StoredResponses['applications']>(null),
    actions: types.frozen<StoredResponses['actions']>(null),
    sessions: types.frozen<StoredResponses['sessions']>(null),
    providers: types.frozen<StoredResponses['providers']>(null),
    linked: types.frozen<StoredResponses['linked']>(null),
    consentClient: types.frozen<StoredResponses['consentClient']>(null),
    flows: types.map(types.frozen<ValuesByName>()),
    log: types.optional(OperationLog, {}),
  })
  /** `generation` increases when the store is reset. Responses to requests of an earlier generation are discarded. */
  .volatile(() => ({
    generation: 0,
    /** HTTP status of a failed load of the citizen's record. 0 if there was no response. */
    userStatus: 0,
    /** Reason why the last session ended. `null` after a logout. */
    sessionEndReason: null as SessionEndReason | null,
    /** Value of `identidad_verificada` for a citizen's record that lacks it. `true` after a successful password check. */
    isPasswordVerified: false,
    pendingTokenRequests: 0,
  }))
  .views((self) => ({
    /** Whether a token request is pending. While one is, a refused operation does not end the session. */
    get isTokenRequestPending(): boolean {
      return self.pendingTokenRequests > 0;
    },
    get visitor(): CallerAttributes {
      const { claims } = self.session;
      // A user of a foreign provider is `foreign`, even in the session of an agent (section 6 of the specification).
      const signedInRole = isForeignIdentityProvider(claims?.idp ?? null) ? 'foreign' : (claims?.role ?? 'citizen');
      return {
        role: claims === null ? 'anonymous' : signedInRole,
        permisos: self.user?.user.permisos ?? {},
        restricted: self.user?.restricted === true,
        factorDue: self.user?.segundo_factor_pendiente === true,
      };
    },
  }))
  .views((self) => ({
    /** Names of the applications that the sessions are signed in to, latest session first. Empty until the sessions have loaded. */
    get lastApplications(): readonly string[] {
      const sessions = [...(self.sessions?.sesiones ?? [])].sort((one, other) => other.visto.localeCompare(one.visto));
      return [...new Set(sessions.flatMap(({ aplicaciones }) => aplicaciones))];
    },
    findRefusal(route: Parameters<typeof findRouteRefusal>[0], flags: FeatureFlags): RouteRefusal | null {
      return findRouteRefusal(route, self.visitor, flags);
    },
    explainOperationRefusal(operation: OperationName, flags: FeatureFlags) {
      return findOperationRefusal(apiContract[operation], self.visitor, flags);
    },
  }))
  .actions((self) => ({
    storeFlowContext(flow: string, context: ValuesByName): void {
      self.flows.set(flow, context);
    },
    setUser(user: SnapshotIn<typeof User>): void {
      self.user = User.create({ identidad_verificada: self.isPasswordVerified, ...user });
      self.userState = 'Exito';
    },
    setSessionEndReason(ended: SessionEndReason): void {
      self.sessionEndReason = ended;
    },
    setPendingTokenRequests(asking: number): void {
      self.pendingTokenRequests = asking;
    },
    recordVerified(): void {
      self.isPasswordVerified = true;
      self.userState = 'Pendiente';
    },
    invalidateUser(): void {
      self.userState = 'Pendiente';
    },
    setUserFailure(status: number): void {
      self.userStatus = status;
      self.userState = 'Error';
    },
    invalidateMfa(): void {
      self.mfa = null;
      self.userState = 'Pendiente';
    },
    storeResponses(answers: Partial<StoredResponses>): void {
      Object.assign(self, answers);
    },
    resetStore(): void {
      self.generation += 1;
      clearStoredState(getPortalStoreDependencies(self).storage); // also removes entries of the browser's storage that this store does not write
      self.sessionEndReason = null;
      self.isPasswordVerified = false;
      self.session.end();
      self.user = null;
      self.userState = 'Pendiente';
      self.mfa = null;
      self.applications = null;
      self.actions = null;
      self.sessions = null;
      self.linked = null;
      self.consentClient = null;
      self.flows.clear();
      self.log.operations.clear();
    },
  }))
  .actions((self) => ({
    restartWithToken(token: string): void {
      self.resetStore();
      self.session.start(token);
    },
  }))
  .actions((self) => ({
    async perform(operation: string, input: OperationInput = {}): Promise<OperationResult> {
      if (!isOperationName(operation)) throw new Error(`There is no operation ${operation}.`);
      const { generation } = self;
      self.log.record(operation, 'pending');
      const answer = await getPortalStoreDependencies(self).client.invoke(operation, input);
      if (generation !== self.generation) return answer;
      if (answer.ok) {
        self.log.record(operation, 'success');
        storeResponseHandlers[operation]?.(self, answer.result as never, input); // TypeScript does not relate the type of a handler to the type of its operation's result
      } else {
        self.log.record(operation, 'error', answer.failure);
      }
      return answer;
    },
  }))
  .actions((self) => ({
    /** Requests a token from the broker. The caller decides whether a refusal ends the session. */
    async requestToken(operation: 'obtainToken' | 'refreshToken', input?: OperationInput): Promise<OperationResult> {
      self.setPendingTokenRequests(self.pendingTokenRequests + 1);
      const answer = await self.perform(operation, input);
      self.setPendingTokenRequests(self.pendingTokenRequests - 1);
      return answer;
    },
    /** Returns `null` on success, otherwise the HTTP status. Does not store a 401 in `userStatus`, because `loadUser` then requests a new token. */
    async loadRecord(): Promise<number | null> {
      const operation = self.visitor.role === 'foreign' ? 'getForeignCitizen' : 'getCitizen';
      const answer = await self.perform(operation, { params: { id: self.session.claims?.cid ?? '' } });
      if (answer.ok) return null;
      const { status } = answer.failure;
      if (status !== 401) self.setUserFailure(status);
      return status;
    },
  }))
  .actions((self) => ({
    /** Requests a new token once if the token is refused. Ends the session if the broker refuses. */
    async loadUser(): Promise<void> {
      let { generation } = self;
      if (self.session.token === null && !readStoredState(getPortalStoreDependencies(self).storage).isRenewalPending)
        return;
      const refused = self.session.authenticated ? await self.loadRecord() : 401;
      if (refused !== 401 || generation !== self.generation) return; // a changed `generation` means that the user has signed out: do not sign in again
      const answer = await self.requestToken('obtainToken');
      if (generation !== self.generation) return;
      if (self.user !== null && self.session.token !== null && self.session.holder !== self.user.id) {
        self.restartWithToken(self.session.token);
        generation = self.generation;
      }
      const status = answer.ok ? await self.loadRecord() : answer.failure.status;
      if (generation !== self.generation) return;
      if (status === 401) {
        self.resetStore();
        self.setSessionEndReason(toSessionEndReason(answer.ok ? undefined : answer.failure.code));
      } else if (status !== null) self.setUserFailure(status);
    },
    /** Never rejects. `providers`: whether to load the linked identity providers too. */
    async loadOverview(providers = false): Promise<void> {
      const { claims } = self.session;
      if (!claims) return;
      await Promise.all([
        self.perform('getMfaStatus', { params: { id: claims.cid } }),
        self.perform('getApplications'),
        ...(providers ? [self.perform('getLinkedProviders', { params: { id: claims.cid } })] : []),
      ]);
    },
    async loadHome(): Promise<void> {
      const { claims } = self.session;
      if (!claims) return;
      await Promise.all([self.perform('getMfaStatus', { params: { id: claims.cid } }), self.perform('getSessions')]);
    },
    /** Ends the broker session. Clears the stored data even if the broker is unreachable. */
    async logOut(body: OperationBody<'logout'> = {}): Promise<OperationResponse<'logout'> | null> {
      const answer = await self.perform('logout', { body });
      self.resetStore();
      return answer.ok ? (answer.result as OperationResponse<'logout'>) : null; // cast, because `perform` returns the results of all operations as the same type
    },
    /** Requests a new token if the broker refuses the old one, for example after the device was asleep. `active`: whether the citizen uses the portal. */
    async renewToken(active: boolean): Promise<TokenRefreshResult> {
      const { token, holder } = self.session;
      if (token === null) return 'refused';
      const refreshed = await self.requestToken('refreshToken', { body: { token, activo: active } });
      const answer = classifyRefreshResult(refreshed) === 'refused' ? await self.perform('obtainToken') : refreshed;
      const next = self.session.token;
      if (!answer.ok || next === null || self.session.holder === holder) return classifyRefreshResult(answer);
      self.restartWithToken(next);
      return 'other';
    },
  }))
  .actions((self) => {
    let before: Promise<unknown> = Promise.resolve();
    return {
      renewTokenSerially(active = false): Promise<TokenRefreshResult> {
        const result = before.then(() => self.renewToken(active));
        before = result.catch(() => undefined);
        return result;
      },
    };
  });

export type SessionEndReason = 'over' | 'blocked';

export function toSessionEndReason(code: string | undefined): SessionEndReason {
  return code === 'account_blocked' ? 'blocked' : 'over';
}

/** `other`: the broker session belongs to another citizen, and the store now has their token. `unreachable`: no response, 429, or a server error. */
export type TokenRefreshResult = 'fresh' | 'other' | 'refused' | 'unreachable';

function classifyRefreshResult(answer: OperationResult): 'fresh' | 'refused' | 'unreachable' {
  if (answer.ok) return 'fresh';
  const { status } = answer.failure;
  return status === 0 || status === 429 || status >= 500 ? 'unreachable' : 'refused';
}

export type PortalStore = Instance<typeof RootStore>;

export function createPortalStore({ client, clock, storage }: PortalStoreDependencies): PortalStore {
  const { token, flows } = readStoredState(storage);
  const store = RootStore.create({ session: { token }, flows }, { client, clock, storage });
  onSnapshot(store, ({ session, flows: remembered }) => {
    writeStoredState(storage, {
      token: session.token,
      flows: remembered,
      isRenewalPending: readStoredState(storage).isRenewalPending,
    });
  });
  return store;
}
