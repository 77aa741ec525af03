import type { Instance, SnapshotIn } from 'mobx-state-tree';
import type { Answer, OperationName } from '../contract/contract.ts';
import type { OperationInput } from '../engine/core/operation.ts';
import type { MfaStatus } from './mfa-status.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

/** Responses that are stored unchanged. `null` until loaded. */
export interface StoredResponses {
  readonly actions: Answer<'getActions'> | null;
  readonly sessions: Answer<'getSessions'> | null;
  readonly providers: Answer<'getIdentityProviders'> | null;
  readonly linked: Answer<'getLinkedProviders'> | null;
  readonly applications: Answer<'getApplications'> | null;
  /** Application that requests consent. `address`: its website, otherwise its own URL. */
  readonly consentClient: (Answer<'getConsentClient'> & { readonly address: string | null }) | null;
}

/** Actions of the store that response handlers call. */
interface StoreActions extends Pick<StoredResponses, 'applications'> {
  readonly session: Instance<typeof Session>;
  setUser(user: SnapshotIn<typeof User>): void;
  invalidateUser(): void;
  recordVerified(): void;
  setMfa(mfa: SnapshotIn<typeof MfaStatus>): void;
  invalidateMfa(): void;
  storeResponses(answers: Partial<StoredResponses>): void;
}

const invalidateMfa = (store: StoreActions) => store.invalidateMfa();
const invalidateUser = (store: StoreActions) => store.invalidateUser();
const storeToken = (store: StoreActions, { token }: Answer<'obtainToken'>) => store.session.start(token);

/** Response handlers by operation. They update the store. Responses of other operations do not change it. */
export const responseHandlers: Partial<
  Record<OperationName, (store: StoreActions, result: never, input: OperationInput) => void>
> = {
  obtainToken: storeToken,
  refreshToken: storeToken,
  completeRegistration: invalidateUser,
  verifyPassword: (store) => store.recordVerified(),
  updatePassword: invalidateUser,
  updateEmail: invalidateUser,
  approveEmailChange: invalidateMfa,
  updatePhone: invalidateUser,
  getMfaStatus: (store, status: Answer<'getMfaStatus'>) => store.setMfa(status),
  verifyTotp: invalidateMfa,
  verifyEmailMethod: invalidateMfa,
  deleteTotp: invalidateMfa,
  deleteEmailMethod: invalidateMfa,
  createRecoveryCodes: invalidateMfa,
  createPasskey: invalidateMfa,
  renamePasskey: invalidateMfa,
  deletePasskey: invalidateMfa,
  submitSignature: invalidateMfa,
  bookSupportCall: invalidateUser,
  cancelSupportCall: invalidateUser,
  bookElevation: invalidateUser,
  cancelElevation: invalidateUser,
  acceptElevation: invalidateMfa,
  getSessions: (store, sessions: Answer<'getSessions'>) => store.storeResponses({ sessions }),
  getConsentClient: (store, client: Answer<'getConsentClient'>) =>
    store.storeResponses({ consentClient: { ...client, address: client.website_url ?? client.url } }),
  getIdentityProviders: (store, providers: Answer<'getIdentityProviders'>) => store.storeResponses({ providers }),
  getApplications: (store, applications: Answer<'getApplications'>) => store.storeResponses({ applications }),
  revokeApplication: (store, _, { params }) =>
    store.storeResponses({ applications: store.applications?.filter(({ id }) => id !== params?.['consent']) ?? null }),
  revokeScope: (store, applications: Answer<'revokeScope'>) => store.storeResponses({ applications }),
  getLinkedProviders: (store, linked: Answer<'getLinkedProviders'>) => store.storeResponses({ linked }),
  unlinkProvider: (store, linked: Answer<'unlinkProvider'>) => store.storeResponses({ linked }),
  getActions: (store, actions: Answer<'getActions'>) => store.storeResponses({ actions }),
  getForeignCitizen: (store, citizen: Answer<'getForeignCitizen'>) => store.setUser(citizen as SnapshotIn<typeof User>), // MST's snapshot type is mutable
  getCitizen: (store, citizen: Answer<'getCitizen'>) => store.setUser(citizen as SnapshotIn<typeof User>), // MST's snapshot type is mutable
};
