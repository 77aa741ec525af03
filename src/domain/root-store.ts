import { cast, destroy, onSnapshot, types, type Instance, type SnapshotIn } from 'mobx-state-tree';
import { operationRefusal, isForeignProvider, type Standing } from '../contract/access.ts';
import { contract, isOperationName, type Answer, type Body, type OperationName } from '../contract/contract.ts';
import type { Flags } from '../contract/flags.ts';
import type { OperationInput, OperationResult } from '../engine/core/operation.ts';
import type { Values } from '../engine/core/json.ts';
import { applyAnswer, type Kept } from './apply-answer.ts';
import { OperationLog } from './operation-log.ts';
import { Consent } from './consent.ts';
import { ConsentClient } from './consent-client.ts';
import { environment, type Environment } from './environment.ts';
import { MfaStatus } from './mfa-status.ts';
import { Session } from './session.ts';
import { clearStored, readStored, writeStored, type TokenClaims } from './stored-state.ts';
import { refusalOf, type Refusal } from './route-access.ts';
import { LoadState, User } from './user.ts';

/** The state of the portal behind the screens: session, user, flow variables, and how each operation stands. */
export const RootStore = types
  .model('RootStore', {
    session: types.optional(Session, { token: null }),
    user: types.maybeNull(User),
    userState: types.optional(LoadState, 'Pendiente'),
    mfa: types.maybeNull(MfaStatus),
    /** The applications with a consent. */
    applications: types.maybeNull(types.array(Consent)),
    /** The latest actions on the account. */
    actions: types.frozen<Kept['actions']>(null),
    /** Where the citizen is signed in. */
    sessions: types.frozen<Kept['sessions']>(null),
    providers: types.frozen<Kept['providers']>(null),
    /** The identity providers that sign in to the account. */
    linked: types.frozen<Kept['linked']>(null),
    /** The application that asks for consent. */
    consentClient: types.maybeNull(ConsentClient),
    /** Variables that a flow keeps in storage, by flow. */
    flows: types.map(types.frozen<Values>()),
    log: types.optional(OperationLog, {}),
  })
  /** Grows when everything is forgotten: an answer from before is then nobody's. */
  .volatile(() => ({
    generation: 0,
    /** HTTP status of the load of the record that failed; 0: no answer came. */
    userStatus: 0,
    /** There was a session, which ended without a logout: its time was over, or its account is blocked. */
    ended: null as EndedSession | null,
    /** The current password was given. It counts where the record does not tell. */
    verified: false,
    /** How many questions to the broker are open of which a refusal does not end the session yet. */
    asking: 0,
  }))
  .views((self) => ({
    /** The broker is asked whether the session of a token goes on: its answer decides, and nothing is lost yet. */
    get resuming(): boolean {
      return self.asking > 0;
    },
    /** Who stands before a route. */
    get visitor(): Standing {
      return {
        role: roleOf(self.session.claims),
        permisos: self.user?.user.permisos ?? {},
        restricted: self.user?.restricted === true,
        factorDue: self.user?.segundo_factor_pendiente === true,
      };
    },
  }))
  .views((self) => ({
    /** Names of the applications that the live sessions are signed in to, of the session used last first; empty before the sessions are loaded. */
    get lastApplications(): readonly string[] {
      const sessions = [...(self.sessions?.sesiones ?? [])].sort((one, other) => other.visto.localeCompare(one.visto));
      return [...new Set(sessions.flatMap(({ aplicaciones }) => aplicaciones))];
    },
    /** Why the visitor may not open a route; null: it may be opened. */
    refusalOf(route: Parameters<typeof refusalOf>[0], flags: Flags): Refusal | null {
      return refusalOf(route, self.visitor, flags);
    },
    /** Why the server will not let the visitor invoke an operation; null: it will. */
    refusalOfOperation(operation: OperationName, flags: Flags) {
      return operationRefusal(contract[operation], self.visitor, flags);
    },
  }))
  .actions((self) => ({
    remember(flow: string, context: Values): void {
      self.flows.set(flow, context);
    },
    setUser(user: SnapshotIn<typeof User>): void {
      self.user = User.create({ identidad_verificada: self.verified, ...user });
      self.userState = 'Exito';
    },
    setEnded(ended: EndedSession): void {
      self.ended = ended;
    },
    setAsking(asking: number): void {
      self.asking = asking;
    },
    noteVerified(): void {
      self.verified = true;
      self.userState = 'Pendiente';
    },
    /** The server's record has changed: it is loaded again where it is next needed. */
    outdateUser(): void {
      self.userState = 'Pendiente';
    },
    failUser(status: number): void {
      self.userStatus = status;
      self.userState = 'Error';
    },
    setMfa(mfa: SnapshotIn<typeof MfaStatus>): void {
      self.mfa = MfaStatus.create(mfa);
    },
    /** A second factor came or went: the record and what is known of the factors are loaded again where they are next needed. */
    outdateMfa(): void {
      self.mfa = null;
      self.userState = 'Pendiente';
    },
    keep(answers: Partial<Kept>): void {
      Object.assign(self, answers);
    },
    setApplications(consents: readonly SnapshotIn<typeof Consent>[]): void {
      self.applications = cast([...consents]);
    },
    dropApplication(id: string): void {
      const consent = self.applications?.find((one) => one.id === id);
      if (consent) destroy(consent);
    },
    setConsentClient(client: SnapshotIn<typeof ConsentClient>): void {
      self.consentClient = ConsentClient.create(client);
    },
    /** Forgets everything of the citizen. */
    forget(): void {
      self.generation += 1;
      clearStored(environment(self).storage); // also what the tree does not hold, and no snapshot will tell
      self.ended = null;
      self.verified = false;
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
    /** Takes the token of somebody who has signed in meanwhile: nothing of the citizen before stays. */
    startAnew(token: string): void {
      self.forget();
      self.session.start(token);
    },
  }))
  .actions((self) => ({
    /** Invokes an operation of the contract, follows how it stands, and takes what the domain knows of its answer. */
    async perform(operation: string, input: OperationInput = {}): Promise<OperationResult> {
      if (!isOperationName(operation)) throw new Error(`There is no operation ${operation}.`);
      const { generation } = self;
      self.log.pending(operation);
      const answer = await environment(self).client.invoke(operation, input);
      if (generation !== self.generation) return answer;
      if (answer.ok) {
        self.log.success(operation);
        applyAnswer[operation]?.(self, answer.result as never, input); // each entry of the table takes the answer of its own operation
      } else {
        self.log.error(operation, answer.failure);
      }
      return answer;
    },
  }))
  .actions((self) => ({
    /** Asks the broker for a token. A refusal is for the caller to act on: it does not end the session by itself. */
    async ask(operation: 'obtainToken' | 'refreshToken', input?: OperationInput): Promise<OperationResult> {
      self.setAsking(self.asking + 1);
      const answer = await self.perform(operation, input);
      self.setAsking(self.asking - 1);
      return answer;
    },
    /** Asks for the record of the token's citizen; answers the status of a refusal, which but for a 401 is noted. */
    async loadRecord(): Promise<number | null> {
      const operation = self.visitor.role === 'foreign' ? 'getForeignCitizen' : 'getCitizen';
      const answer = await self.perform(operation, { params: { id: self.session.claims?.cid ?? '' } });
      if (answer.ok) return null;
      const { status } = answer.failure;
      if (status !== 401) self.failUser(status);
      return status;
    },
  }))
  .actions((self) => ({
    /**
     * Loads the record of the citizen who is signed in. In place of a token that has ended, or that the server no longer takes, the broker
     * is asked once for another one of its session: where it knows none, there is none.
     */
    async loadUser(): Promise<void> {
      let { generation } = self;
      if (self.session.token === null && !readStored(environment(self).storage).lapsed) return;
      const refused = self.session.authenticated ? await self.loadRecord() : 401;
      if (refused !== 401 || generation !== self.generation) return; // who has signed out meanwhile is not signed in again
      const answer = await self.ask('obtainToken');
      if (generation !== self.generation) return;
      if (self.user !== null && self.session.token !== null && self.session.holder !== self.user.id) {
        self.startAnew(self.session.token);
        generation = self.generation;
      }
      const status = answer.ok ? await self.loadRecord() : answer.failure.status;
      if (generation !== self.generation) return;
      if (status === 401) {
        self.forget();
        self.setEnded(endedBy(answer.ok ? undefined : answer.failure.code));
      } else if (status !== null) self.failUser(status);
    },
    /** Loads the data of the overview in parallel, beside the record. `providers`: also the linked identity providers. Never rejects. */
    async loadOverview(providers = false): Promise<void> {
      const { claims } = self.session;
      if (!claims) return;
      await Promise.all([
        self.perform('getMfaStatus', { params: { id: claims.cid } }),
        self.perform('getApplications'),
        ...(providers ? [self.perform('getLinkedProviders', { params: { id: claims.cid } })] : []),
      ]);
    },
    /** Loads what the first page shows beside the record, at once. */
    async loadHome(): Promise<void> {
      const { claims } = self.session;
      if (!claims) return;
      await Promise.all([self.perform('getMfaStatus', { params: { id: claims.cid } }), self.perform('getSessions')]);
    },
    /** Ends the broker session; what is stored of the citizen goes even when the broker cannot be reached. */
    async logOut(body: Body<'logout'> = {}): Promise<Answer<'logout'> | null> {
      const answer = await self.perform('logout', { body });
      self.forget();
      return answer.ok ? (answer.result as Answer<'logout'>) : null; // the answer of the operation by that name
    },
    /**
     * Takes a fresh token in place of the one that ends soon. A token that the broker takes no more, as after a sleep, says nothing of the
     * session: the broker is then asked for a token of it, and only that refusal counts. `active`: the citizen is there.
     */
    async renew(active: boolean): Promise<RefreshResult> {
      const { token, holder } = self.session;
      if (token === null) return 'refused';
      const refreshed = await self.ask('refreshToken', { body: { token, activo: active } });
      const answer = resultOf(refreshed) === 'refused' ? await self.perform('obtainToken') : refreshed;
      const next = self.session.token;
      if (!answer.ok || next === null || self.session.holder === holder) return resultOf(answer);
      self.startAnew(next);
      return 'other';
    },
  }))
  .actions((self) => {
    let before: Promise<unknown> = Promise.resolve();
    return {
      /** As `renew`, one at a time: a second question waits for the answer to the first. */
      refresh(active = false): Promise<RefreshResult> {
        const result = before.then(() => self.renew(active));
        before = result.catch(() => undefined);
        return result;
      },
    };
  });

/** How a session ended without a logout. */
export type EndedSession = 'over' | 'blocked';

/** How a session ended of which the broker says so. */
export function endedBy(code: string | undefined): EndedSession {
  return code === 'account_blocked' ? 'blocked' : 'over';
}

/**
 * How a refresh of the token ended. `other`: the broker's session is another citizen's, whose token was taken; `unreachable`: the broker
 * could not be asked, or could not answer now.
 */
export type RefreshResult = 'fresh' | 'other' | 'refused' | 'unreachable';

function resultOf(answer: OperationResult): 'fresh' | 'refused' | 'unreachable' {
  if (answer.ok) return 'fresh';
  const { status } = answer.failure;
  return status === 0 || status === 429 || status >= 500 ? 'unreachable' : 'refused';
}

export type Store = Instance<typeof RootStore>;

/** Creates the store from what storage remembers, and stores by allow-list whatever changes. */
export function createStore({ client, clock, storage }: Environment): Store {
  const { token, flows } = readStored(storage);
  const store = RootStore.create({ session: { token }, flows }, { client, clock, storage });
  onSnapshot(store, ({ session, flows: remembered }) => {
    writeStored(storage, { token: session.token, flows: remembered, lapsed: readStored(storage).lapsed });
  });
  return store;
}

/** Section 6 of the specification: who came by a foreign provider is a foreign user, also where the session is an agent's. */
function roleOf(claims: TokenClaims | null): Standing['role'] {
  if (claims === null) return 'anonymous';
  return isForeignProvider(claims.idp) ? 'foreign' : (claims.role ?? 'citizen');
}
