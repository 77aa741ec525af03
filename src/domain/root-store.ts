import { onSnapshot, types, type Instance, type SnapshotIn } from 'mobx-state-tree';
import { isCallName, type Answer, type Body, type CallName } from '../api/contract.ts';
import type { CallInput, CallResult } from '../engine/core/call.ts';
import type { Values } from '../engine/core/json.ts';
import { CallLog } from './call-log.ts';
import { ConsentClient } from './consent-client.ts';
import { environment, type Environment } from './environment.ts';
import { IdentityProviders } from './identity-providers.ts';
import { MfaStatus } from './mfa-status.ts';
import { Session } from './session.ts';
import { readStored, writeStored, type StateStorage } from './stored-state.ts';
import { LoadState, User } from './user.ts';

/** The state of the portal behind the screens: session, user, flow variables, and how each call stands. */
export const RootStore = types
  .model('RootStore', {
    session: types.optional(Session, { token: null }),
    user: types.maybeNull(User),
    userState: types.optional(LoadState, 'Pendiente'),
    mfa: types.maybeNull(MfaStatus),
    /** The application that asks for consent. */
    consentClient: types.maybeNull(ConsentClient),
    providers: types.maybeNull(IdentityProviders),
    /** Variables that a flow declares `persist`, by flow. */
    flows: types.map(types.frozen<Values>()),
    log: types.optional(CallLog, {}),
  })
  /** Grows when everything is forgotten: an answer from before is then nobody's. */
  .volatile(() => ({ era: 0 }))
  .actions((self) => ({
    remember(flow: string, context: Values): void {
      self.flows.set(flow, context);
    },
    setUser(user: SnapshotIn<typeof User>): void {
      self.user = User.create(user);
      self.userState = 'Exito';
    },
    /** The server's record has changed: it is loaded again where it is next needed. */
    outdateUser(): void {
      self.userState = 'Pendiente';
    },
    failUser(): void {
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
    setConsentClient(client: SnapshotIn<typeof ConsentClient>): void {
      self.consentClient = ConsentClient.create(client);
    },
    setProviders(providers: SnapshotIn<typeof IdentityProviders>): void {
      self.providers = IdentityProviders.create(providers);
    },
    /** Forgets everything of the citizen. */
    forget(): void {
      self.era += 1;
      self.session.end();
      self.user = null;
      self.userState = 'Pendiente';
      self.mfa = null;
      self.consentClient = null;
      self.flows.clear();
      self.log.calls.clear();
    },
  }))
  .actions((self) => ({
    /** Makes a call of the contract, follows how it stands, and takes what the domain knows of its answer. */
    async perform(call: string, input: CallInput = {}): Promise<CallResult> {
      if (!isCallName(call)) throw new Error(`There is no call ${call}.`);
      const { era } = self;
      self.log.pending(call);
      const answer = await environment(self).client.invoke(call, input);
      if (era !== self.era) return answer;
      if (answer.ok) {
        self.log.success(call);
        absorb[call]?.(self, answer.result as never); // each entry of the table takes the answer of its own call
      } else {
        self.log.error(call, answer.failure);
      }
      return answer;
    },
  }))
  .actions((self) => ({
    /** Loads the record of the citizen who is signed in; a token that the server no longer takes is no session. */
    async loadUser(): Promise<void> {
      const { claims } = self.session;
      if (!claims) return;
      const answer = await self.perform('getCitizen', { params: { id: claims.cid } });
      if (answer.ok) return;
      if (answer.failure.status === 401) self.forget();
      else self.failUser();
    },
    /** Ends the broker session; what is stored of the citizen goes even when the broker cannot be reached. */
    async logOut(body: Body<'logout'> = {}): Promise<Answer<'logout'> | null> {
      const answer = await self.perform('logout', { body });
      self.forget();
      return answer.ok ? (answer.result as Answer<'logout'>) : null; // the answer of the call by that name
    },
    /** Takes a fresh token in place of the one that ends soon; answers whether that worked. */
    async refresh(): Promise<boolean> {
      const { token } = self.session;
      if (token === null) return false;
      return (await self.perform('refreshToken', { body: { token } })).ok;
    },
  }));

export type Store = Instance<typeof RootStore>;

interface Absorber {
  readonly session: Instance<typeof Session>;
  setUser(user: SnapshotIn<typeof User>): void;
  outdateUser(): void;
  setMfa(mfa: SnapshotIn<typeof MfaStatus>): void;
  outdateMfa(): void;
  setConsentClient(client: SnapshotIn<typeof ConsentClient>): void;
  setProviders(providers: SnapshotIn<typeof IdentityProviders>): void;
}

const outdateMfa = (store: Absorber) => store.outdateMfa();
const takeToken = (store: Absorber, { token }: Answer<'obtainToken'>) => store.session.start(token);

/** What an answer changes in the tree; calls that are not here change nothing. */
const absorb: Partial<Record<CallName, (store: Absorber, result: never) => void>> = {
  obtainToken: takeToken,
  refreshToken: takeToken,
  completeRegistration: (store) => store.outdateUser(),
  getMfaStatus: (store, status: Answer<'getMfaStatus'>) => store.setMfa(status as SnapshotIn<typeof MfaStatus>), // the same wire shape, readonly
  verifyTotp: outdateMfa,
  verifyEmailMethod: outdateMfa,
  deleteTotp: outdateMfa,
  deleteEmailMethod: outdateMfa,
  createRecoveryCodes: outdateMfa,
  getConsentClient: (store, client: Answer<'getConsentClient'>) => store.setConsentClient(client as SnapshotIn<typeof ConsentClient>), // the same
  getIdentityProviders: (store, list: Answer<'getIdentityProviders'>) => store.setProviders(list as SnapshotIn<typeof IdentityProviders>), // the same
  getCitizen: (store, citizen: Answer<'getCitizen'>) => store.setUser(citizen as SnapshotIn<typeof User>), // the same wire shape, readonly
};

/** Creates the store from what storage remembers, and stores by allow-list whatever changes. */
export function createStore(options: Environment & { storage: StateStorage }): Store {
  const { token, flows } = readStored(options.storage);
  const store = RootStore.create({ session: { token }, flows }, { client: options.client, clock: options.clock });
  onSnapshot(store, ({ session, flows: remembered }) => {
    writeStored(options.storage, { token: session.token, flows: remembered });
  });
  return store;
}
