import type { Instance, SnapshotIn } from 'mobx-state-tree';
import type { Answer, OperationName } from '../contract/contract.ts';
import type { OperationInput } from '../engine/core/operation.ts';
import type { MfaStatus } from './mfa-status.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

/** Responses stored unchanged. `null` until loaded. */
export interface Kept {
  readonly actions: Answer<'getActions'> | null;
  readonly sessions: Answer<'getSessions'> | null;
  readonly providers: Answer<'getIdentityProviders'> | null;
  readonly linked: Answer<'getLinkedProviders'> | null;
  readonly applications: Answer<'getApplications'> | null;
  /** The application that requests consent, and the address to show. */
  readonly consentClient: (Answer<'getConsentClient'> & { readonly address: string | null }) | null;
}

/** Actions of the store that responses trigger. */
interface AnswerTarget extends Pick<Kept, 'applications'> {
  readonly session: Instance<typeof Session>;
  setUser(user: SnapshotIn<typeof User>): void;
  outdateUser(): void;
  recordVerified(): void;
  setMfa(mfa: SnapshotIn<typeof MfaStatus>): void;
  outdateMfa(): void;
  keep(answers: Partial<Kept>): void;
}

const outdateMfa = (store: AnswerTarget) => store.outdateMfa();
const outdateUser = (store: AnswerTarget) => store.outdateUser();
const takeToken = (store: AnswerTarget, { token }: Answer<'obtainToken'>) => store.session.start(token);

/** Updates the store with the response of an operation. Operations without an entry do not change it. */
export const applyAnswer: Partial<
  Record<OperationName, (store: AnswerTarget, result: never, input: OperationInput) => void>
> = {
  obtainToken: takeToken,
  refreshToken: takeToken,
  completeRegistration: outdateUser,
  verifyPassword: (store) => store.recordVerified(),
  updatePassword: outdateUser,
  updateEmail: outdateUser,
  approveEmailChange: outdateMfa,
  updatePhone: outdateUser,
  getMfaStatus: (store, status: Answer<'getMfaStatus'>) => store.setMfa(status),
  verifyTotp: outdateMfa,
  verifyEmailMethod: outdateMfa,
  deleteTotp: outdateMfa,
  deleteEmailMethod: outdateMfa,
  createRecoveryCodes: outdateMfa,
  createPasskey: outdateMfa,
  renamePasskey: outdateMfa,
  deletePasskey: outdateMfa,
  submitSignature: outdateMfa,
  bookSupportCall: outdateUser,
  cancelSupportCall: outdateUser,
  bookElevation: outdateUser,
  cancelElevation: outdateUser,
  acceptElevation: outdateMfa,
  getSessions: (store, sessions: Answer<'getSessions'>) => store.keep({ sessions }),
  getConsentClient: (store, client: Answer<'getConsentClient'>) =>
    store.keep({ consentClient: { ...client, address: client.website_url ?? client.url } }),
  getIdentityProviders: (store, providers: Answer<'getIdentityProviders'>) => store.keep({ providers }),
  getApplications: (store, applications: Answer<'getApplications'>) => store.keep({ applications }),
  revokeApplication: (store, _, { params }) =>
    store.keep({ applications: store.applications?.filter(({ id }) => id !== params?.['consent']) ?? null }),
  revokeScope: (store, applications: Answer<'revokeScope'>) => store.keep({ applications }),
  getLinkedProviders: (store, linked: Answer<'getLinkedProviders'>) => store.keep({ linked }),
  unlinkProvider: (store, linked: Answer<'unlinkProvider'>) => store.keep({ linked }),
  getActions: (store, actions: Answer<'getActions'>) => store.keep({ actions }),
  getForeignCitizen: (store, citizen: Answer<'getForeignCitizen'>) => store.setUser(citizen as SnapshotIn<typeof User>), // same shape, but readonly
  getCitizen: (store, citizen: Answer<'getCitizen'>) => store.setUser(citizen as SnapshotIn<typeof User>), // same shape, but readonly
};
