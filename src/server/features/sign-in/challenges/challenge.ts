import type { Answer } from '../../../../contract/contract.ts';
import type { Limit } from '../../../platform/topics/limit.ts';
import type { Throttle, Try } from '../../../trust/abuse/throttle.ts';
import type { OperationRequest } from '../../../platform/base/operation-request.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import type { ValidateForm } from '../../../platform/base/validate-form.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Passwords } from '../../../trust/credentials/passwords.ts';
import { isActive, type ActiveFactors } from '../../../trust/credentials/second-factors.ts';
import type { Store, Tx } from '../../../platform/database/open-store.ts';
import type { Citizen } from '../../../trust/identity/citizens.ts';
import { challengeNames, walletMethod } from '../../../trust/identity/names.ts';
import type { Wallet } from '../../../trust/federation/wallet/open-wallet.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { Command, Commands } from '../../../trust/notices/commands.ts';
import { factorsOf, type ChallengeRecord, type TriedChallenge } from '../../../trust/sessions/challenge-record.ts';
import type { SigningIn } from '../signing-in.ts';

/** What challenges are answered with. */
export interface ChallengeNeeds {
  readonly validateForm: ValidateForm;
  readonly commands: Commands;
  readonly clock: Clock;
  readonly config: Config;
  readonly passwords: Passwords;
  readonly store: Store;
  readonly throttle: Throttle;
  readonly vault: Vault;
  /** What asks wallets; null: none signs in. */
  readonly wallet: Wallet | null;
}

type WireRequest = OperationRequest<'answerChallenge'>;
type WireBody = WireRequest['body'];
/** A request that names its challenge. */
export type Request = WireRequest & {
  readonly body: WireBody & { readonly [Key in 'challenge' | 'data_challenge']: NonNullable<WireBody[Key]> };
};
type Data = Request['body']['data_challenge'];

/**
 * One challenge of a sign-in, with everything that is special about it; `order.ts` lists them. Which level its factor reaches stands in
 * identity/session-level.ts, since a factor raises a running session as well.
 */
export interface Challenge {
  /** Its name on the wire (section 7.3). */
  readonly name: string;
  /** Another name that answers may give it. */
  readonly alias?: string;
  /** Opens a sign-in with it; where it can be proven as well, only an answer without a token opens one. */
  readonly open?: (needs: ChallengeNeeds, request: Request) => Promise<Opened>;
  /** Whether a sign-in waits for it next, where none before it in the order is due. */
  readonly due?: (situation: Situation) => boolean;
  /** What offering it counts under. */
  readonly limit?: Limit<'address' | 'document'>;
  /** Does what leads to it, in the transaction that does so, and answers what the browser needs for it. */
  readonly offer?: (
    command: Command,
    needs: ChallengeNeeds,
    offered: Offered,
  ) => Promise<Partial<Answer<'answerChallenge'>>>;
  /** Names of the challenges that an answer under this name is meant for where a sign-in waits for them. */
  readonly standsFor?: (data: Data) => readonly string[];
  /** Whether an answer takes a sign-in that is past it back to it. */
  readonly goesBack?: (data: Data) => boolean;
  /** Checks the answer. The client's name of a step is a request, never a fact: the record waits for it. */
  readonly prove?: Prove;
}

/** A sign-in that was opened. */
export interface Opened {
  /** The challenge that it waits for. */
  readonly step: string;
  readonly token: string;
  /** The secret of the cookie that binds it to its browser. */
  readonly browser: string;
  readonly options?: Options;
  /** Where the browser proves it. */
  readonly location?: string;
}

/** What the browser needs to use a passkey, as the answer of a sign-in carries it. */
export type Options = NonNullable<Answer<'answerChallenge'>['options']>;

/** What a challenge is offered to. */
interface Offered extends Omit<Situation, 'byMail' | 'otherMethod'> {
  readonly citizen: Citizen;
  /** The known browser of the citizen that signs in; `null` if it is new. */
  readonly device: string | null;
}

/** What decides whether a step is due. */
export interface Situation {
  readonly record: ChallengeRecord;
  readonly active: ActiveFactors;
  /** Whether a mailed code is a second factor: the e-mail method is set up, and the password was not reset through that mailbox. */
  readonly mailedCode: boolean;
  /** A code by e-mail is asked for in place of the app's. */
  readonly byMail: boolean;
  /** Another method than a passkey is asked for, as far as one is set up. */
  readonly otherMethod: boolean;
}

/** What a right answer to a challenge amounts to. */
export interface Proof {
  /** Name that the record keeps of it; null: it only chose the way on. */
  readonly factor: string | null;
  /** Makes it hold in the transaction that moves the sign-in on; throws when it holds no longer, as for a code used meanwhile. */
  readonly settle: (tx: Tx, who: Pick<SigningIn, 'passwordHash'>) => Promise<void>;
  /** The tries that it takes back, once the sign-in has moved on. */
  readonly forgives?: readonly Try[];
  /** An agent's institutional address, which a mailed code has to prove. */
  readonly institutionalEmail?: string;
  /** The citizen asks for an e-mailed code in place of the app's. */
  readonly byMail?: boolean;
  /** The citizen asks for another second factor in place of a passkey. */
  readonly otherMethod?: boolean;
  /** Who signs in, where the answer itself tells: the id, and the document as sign-ins hold it. */
  readonly citizen?: { readonly id: string; readonly document: string };
  /** The citizen signs in as an agent. */
  readonly asAgent?: boolean;
}

/** Checks the answer to one challenge; throws for a wrong one. */
export type Prove = (needs: ChallengeNeeds, request: Request, record: TriedChallenge) => Promise<Proof>;

/** Whether an option of section 7.3 is chosen. Its type is not shown: `emailAgent` may be the agent's address. */
export function isChosen(option: unknown): boolean {
  return option === true || (typeof option === 'string' && option !== '' && option !== 'false');
}

/** Whether who signs in was proven by what counts as two factors. */
export function isProvenAlone(record: ChallengeRecord): boolean {
  return hasAny(record, [challengeNames.passkey, challengeNames.card, ...[2, 3].map(walletMethod)]);
}

/** Whether a second factor is set up, and none was proven yet. */
export function lacksSecondFactor({ record, active }: Situation): boolean {
  return (
    isActive(active) &&
    !isProvenAlone(record) &&
    !hasAny(record, [challengeNames.totp, challengeNames.recoveryCode, challengeNames.backupCode])
  );
}

/** Whether the citizen can prove a code that is set up: of the app, or a mailed one. */
export function canProveCode({ active, mailedCode }: Pick<Situation, 'active' | 'mailedCode'>): boolean {
  return active.totp !== null || mailedCode;
}

/** Whether any of the factors was proven. */
export function hasAny(record: ChallengeRecord, names: readonly string[]): boolean {
  return factorsOf(record).some((factor) => names.includes(factor));
}
