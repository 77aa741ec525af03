import type { Instance, SnapshotIn } from 'mobx-state-tree';
import type { OperationAnswer, OperationName } from '../contract/contract.ts';
import type { OperationInput } from '../engine/core/operation.ts';
import type { MfaStatus } from './mfa-status.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

/** Responses that the store keeps unchanged. Each is `null` until it has loaded. */
export interface StoredResponses {
  readonly actions: OperationAnswer<'getActions'> | null;
  readonly sessions: OperationAnswer<'getSessions'> | null;
  readonly providers: OperationAnswer<'getIdentityProviders'> | null;
  readonly linked: OperationAnswer<'getLinkedProviders'> | null;
  readonly applications: OperationAnswer<'getApplications'> | null;
  readonly consentClient: (OperationAnswer<'getConsentClient'> & { readonly address: string | null }) | null;
}

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
const storeToken = (store: StoreActions, { token }: OperationAnswer<'obtainToken'>) => store.session.start(token);

/** Updates of the store with the response of an operation. Operations without a handler do not change the store. */
export const storeResponseHandlers: Partial<
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
  getMfaStatus: (store, status: OperationAnswer<'getMfaStatus'>) => store.setMfa(status),
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
  getSessions: (store, sessions: OperationAnswer<'getSessions'>) => store.storeResponses({ sessions }),
  getConsentClient: (store, client: OperationAnswer<'getConsentClient'>) =>
    store.storeResponses({ consentClient: { ...client, address: client.website_url ?? client.url } }),
  getIdentityProviders: (store, providers: OperationAnswer<'getIdentityProviders'>) =>
    store.storeResponses({ providers }),
  getApplications: (store, applications: OperationAnswer<'getApplications'>) => store.storeResponses({ applications }),
  revokeApplication: (store, _, { params }) =>
    store.storeResponses({ applications: store.applications?.filter(({ id }) => id !== params?.['consent']) ?? null }),
  revokeScope: (store, applications: OperationAnswer<'revokeScope'>) => store.storeResponses({ applications }),
  getLinkedProviders: (store, linked: OperationAnswer<'getLinkedProviders'>) => store.storeResponses({ linked }),
  unlinkProvider: (store, linked: OperationAnswer<'unlinkProvider'>) => store.storeResponses({ linked }),
  getActions: (store, actions: OperationAnswer<'getActions'>) => store.storeResponses({ actions }),
  getForeignCitizen: (store, citizen: OperationAnswer<'getForeignCitizen'>) =>
    store.setUser(citizen as SnapshotIn<typeof User>), // cast, because MST's snapshot type is mutable
  getCitizen: (store, citizen: OperationAnswer<'getCitizen'>) => store.setUser(citizen as SnapshotIn<typeof User>), // cast, because MST's snapshot type is mutable
};
