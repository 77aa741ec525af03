import type { Instance, SnapshotIn } from 'mobx-state-tree';
import type { OperationResponse, OperationName } from '../contract/contract.ts';
import type { OperationInput } from '../engine/core/operation-result.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

/** Responses that the store keeps unchanged. Each is `null` until it has loaded. */
export interface StoredResponses {
  readonly mfa: OperationResponse<'getMfaStatus'> | null;
  readonly actions: OperationResponse<'getActions'> | null;
  readonly sessions: OperationResponse<'getSessions'> | null;
  readonly providers: OperationResponse<'getIdentityProviders'> | null;
  readonly linked: OperationResponse<'getLinkedProviders'> | null;
  readonly applications: OperationResponse<'getApplications'> | null;
  readonly consentClient: (OperationResponse<'getConsentClient'> & { readonly address: string | null }) | null;
}

interface StoreActions extends Pick<StoredResponses, 'applications'> {
  readonly session: Instance<typeof Session>;
  setUser(user: SnapshotIn<typeof User>): void;
  invalidateUser(): void;
  recordVerified(): void;
  invalidateMfa(): void;
  storeResponses(answers: Partial<StoredResponses>): void;
}

const invalidateMfa = (store: StoreActions) => store.invalidateMfa();
const invalidateUser = (store: StoreActions) => store.invalidateUser();
const storeToken = (store: StoreActions, { token }: OperationResponse<'obtainToken'>) => store.session.start(token);

/** Handlers that update the store after an operation has succeeded. Operations without a handler do not change the store. */
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
  getMfaStatus: (store, mfa: OperationResponse<'getMfaStatus'>) => store.storeResponses({ mfa }),
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
  getSessions: (store, sessions: OperationResponse<'getSessions'>) => store.storeResponses({ sessions }),
  getConsentClient: (store, client: OperationResponse<'getConsentClient'>) =>
    store.storeResponses({ consentClient: { ...client, address: client.website_url ?? client.url } }),
  getIdentityProviders: (store, providers: OperationResponse<'getIdentityProviders'>) =>
    store.storeResponses({ providers }),
  getApplications: (store, applications: OperationResponse<'getApplications'>) =>
    store.storeResponses({ applications }),
  revokeApplication: (store, _, { params }) =>
    store.storeResponses({ applications: store.applications?.filter(({ id }) => id !== params?.['consent']) ?? null }),
  revokeScope: (store, applications: OperationResponse<'revokeScope'>) => store.storeResponses({ applications }),
  getLinkedProviders: (store, linked: OperationResponse<'getLinkedProviders'>) => store.storeResponses({ linked }),
  unlinkProvider: (store, linked: OperationResponse<'unlinkProvider'>) => store.storeResponses({ linked }),
  getActions: (store, actions: OperationResponse<'getActions'>) => store.storeResponses({ actions }),
  getForeignCitizen: (store, citizen: OperationResponse<'getForeignCitizen'>) =>
    store.setUser(citizen as SnapshotIn<typeof User>), // cast, because MST's snapshot type is mutable
  getCitizen: (store, citizen: OperationResponse<'getCitizen'>) => store.setUser(citizen as SnapshotIn<typeof User>), // cast, because MST's snapshot type is mutable
};
