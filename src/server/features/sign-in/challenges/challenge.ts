import type { HandlerContext } from '../../handler-context.ts';
import type { OperationResponse } from '../../../../contract/contract.ts';
import type { AttemptLimit } from '../../../platform/modules/attempt-limits.ts';
import type { AdmittedInsert } from '../../../trust/abuse/attempt-throttle.ts';
import type { OperationRequest } from '../../../platform/base/operation-request.ts';
import { hasActiveSecondFactor, type ActiveSecondFactors } from '../../../trust/credentials/second-factors.ts';
import type { Tx } from '../../../platform/database/open-store.ts';
import type { Citizen } from '../../../trust/identity/citizens.ts';
import { challengeNames, getWalletAmr } from '../../../trust/identity/challenge-names.ts';
import type { DatabaseCommand } from '../../../trust/notices/database-commands.ts';
import {
  listCompletedChallenges,
  type SignInRecord,
  type AttemptedSignInRecord,
  createSignInRecord,
} from '../../../trust/sessions/sign-in-record.ts';
import type { SignInContext } from '../complete-sign-in.ts';
import { generateSecret } from '../../../platform/keys/random-secrets.ts';

export type SignInChallengeDependencies = Pick<
  HandlerContext,
  'validateForm' | 'commands' | 'clock' | 'config' | 'passwords' | 'store' | 'throttle' | 'vault' | 'wallet'
>;

type WireRequest = OperationRequest<'answerChallenge'>;
type WireBody = WireRequest['body'];
export type SignInChallengeRequest = WireRequest & {
  readonly body: WireBody & { readonly [Key in 'challenge' | 'data_challenge']: NonNullable<WireBody[Key]> };
};
type ChallengeData = SignInChallengeRequest['body']['data_challenge'];

/**
 * A challenge of a sign-in. The levels of the factors are in identity/session-level.ts, because a factor can also raise the level of a running
 * session.
 */
export interface SignInChallenge {
  /** Name in requests and responses (specification, section 7.3). */
  readonly name: string;
  /**
   * Starts a sign-in with this challenge. If the challenge also has an `answer`, only a request without a token starts a sign-in. `count` counts the
   * attempt towards the limit of the challenge, and inserts the row of `change` in the same statement if the limit admits the attempt.
   */
  readonly open?: (
    dependencies: SignInChallengeDependencies,
    request: SignInChallengeRequest,
    count: (change?: AdmittedInsert) => Promise<void>,
  ) => Promise<StartedSignIn>;
  /** Whether a sign-in needs this challenge. If it needs several, the first in the list of select-challenge.ts is next. */
  readonly isNeeded?: (situation: SignInState) => boolean;
  readonly offer?: {
    readonly limit?: SignInChallengeLimit;
    /** Prepares the challenge, in the transaction that advances the sign-in to it. Returns the data for the browser. */
    readonly prepare: (
      command: DatabaseCommand,
      dependencies: SignInChallengeDependencies,
      offered: OfferContext,
    ) => Promise<Partial<OperationResponse<'answerChallenge'>>>;
  };
  readonly answer?: {
    readonly limit?: SignInChallengeLimit;
    /** Names of other challenges that clients may answer under the name of this one, if the sign-in waits for one of them. */
    readonly listAnsweredChallenges?: (data: ChallengeData) => readonly string[];
    /** Whether these data answer this challenge again after the sign-in has passed it. The sign-in then goes back to this challenge. */
    readonly isReturn?: (data: ChallengeData) => boolean;
    /** Verifies the answer of a sign-in that waits for this challenge. Throws if the answer is wrong. */
    readonly verifyAnswer: ChallengeVerifier;
  };
}

/** Limit of attempts per IP address, and per document if the limit has the kind `document`. */
export type SignInChallengeLimit = AttemptLimit<'address'>;

export interface StartedSignIn {
  readonly challenge: string;
  readonly token: string;
  /** Secret of the cookie that binds the sign-in to this browser. */
  readonly browser: string;
  readonly options?: SignInChallengeOptions;
  readonly location?: string;
}

export type SignInChallengeOptions = NonNullable<OperationResponse<'answerChallenge'>['options']>;

interface OfferContext extends Omit<SignInState, 'byMail' | 'otherMethod'> {
  readonly citizen: Citizen;
  readonly device: string | null;
}

export interface SignInState {
  readonly record: SignInRecord;
  readonly active: ActiveSecondFactors;
  /** Whether a mailed code counts as a second factor: the e-mail method is set up, and the password was not reset through the same mailbox. */
  readonly mailedCode: boolean;
  /** Whether the citizen requested a mailed code instead of a code of the authenticator app. */
  readonly byMail: boolean;
  /** Whether the citizen requested another method instead of a passkey. */
  readonly otherMethod: boolean;
}

export interface ChallengeProof {
  /** Factor to add to the record. `null` if the answer only selects the next step. */
  readonly factor: string | null;
  /** Consumes the proof, in the transaction that advances the sign-in. Throws if a parallel request has used the code. */
  readonly applyProof: (tx: Tx, who: Pick<SignInContext, 'passwordHash'>) => Promise<void>;
  /** The agent's e-mail address, to which the code of the next challenge is mailed. */
  readonly institutionalEmail?: string;
  readonly byMail?: boolean;
  readonly otherMethod?: boolean;
  /** Citizen whom the answer identifies, for example with a passkey. `document` has the format of `formatDocumentId`. */
  readonly citizen?: { readonly id: string; readonly document: string };
  readonly asAgent?: boolean;
}

/** Verifies an answer. Calls `count` before the verification, to count the attempt towards the challenge's limit. */
export type ChallengeVerifier = (
  dependencies: SignInChallengeDependencies,
  request: SignInChallengeRequest,
  record: AttemptedSignInRecord,
  count: () => Promise<void>,
) => Promise<ChallengeProof>;

/** Whether a sign-in option is set. The specification (section 7.3) does not define its type: `emailAgent` may be `true` or the agent's address. */
export function isSignInOptionSet(option: unknown): boolean {
  return option === true || (typeof option === 'string' && option !== '' && option !== 'false');
}

export function hasProvenTwoFactorMethod(record: SignInRecord): boolean {
  return hasProvenAnyFactor(record, [challengeNames.passkey, challengeNames.card, ...[2, 3].map(getWalletAmr)]);
}

export function lacksSecondFactor({ record, active }: SignInState): boolean {
  return (
    hasActiveSecondFactor(active) &&
    !hasProvenTwoFactorMethod(record) &&
    !hasProvenAnyFactor(record, [challengeNames.totp, challengeNames.mailedCode, challengeNames.recoveryCode])
  );
}

export function hasSecondFactorCodeMethod({ active, mailedCode }: Pick<SignInState, 'active' | 'mailedCode'>): boolean {
  return active.totp !== null || mailedCode;
}

export function hasProvenAnyFactor(record: SignInRecord, names: readonly string[]): boolean {
  return listCompletedChallenges(record).some((factor) => names.includes(factor));
}

export async function startSignInWithChallenge(
  { store, clock }: Pick<SignInChallengeDependencies, 'store' | 'clock'>,
  request: SignInChallengeRequest,
  challenge: string,
): Promise<StartedSignIn> {
  const browser = getBrowserSecret(request);
  const start = { step: challenge, document: '', citizen_id: null, ...readSignInDestination(request) };
  return { challenge, token: await createSignInRecord(store, start, browser, clock.now()), browser };
}

export function getBrowserSecret({ cookies }: SignInChallengeRequest): string {
  return cookies.challenge ?? generateSecret();
}

export function readSignInDestination({ body, origin }: SignInChallengeRequest) {
  const { redirect_url = null, process_state = null, agnt = null } = body.extra ?? {};
  return { redirect_url, process_state, agent: agnt, user_agent: origin.userAgent, address: origin.address };
}
