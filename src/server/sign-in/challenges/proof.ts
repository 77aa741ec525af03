import type { CallRequest } from '../../base/call.ts';
import type { Throttle } from '../../abuse/throttle.ts';
import type { Clock } from '../../base/clock.ts';
import type { Config } from '../../config/config.ts';
import type { Passwords } from '../../credentials/passwords.ts';
import type { Store } from '../../database/open-store.ts';
import type { Vault } from '../../keys/vault.ts';
import type { Commands } from '../../notices/commands.ts';
import type { FormChecker } from './check-form.ts';
import type { Tx } from '../../database/open-store.ts';
import type { ChallengeRecord } from '../../sessions/challenge-record.ts';

/** What challenges are answered with. */
export interface ChallengeNeeds extends FormChecker {
  readonly commands: Commands;
  readonly clock: Clock;
  readonly config: Config;
  readonly passwords: Passwords;
  readonly store: Store;
  readonly throttle: Throttle;
  readonly vault: Vault;
}

/** What a right answer to a challenge amounts to. */
export interface Proof {
  /** Name that the record keeps of it; null: it only chose the way on. */
  readonly factor: string | null;
  /** Makes it hold in the transaction that moves the sign-in on; throws when it holds no longer, as for a code used meanwhile. */
  readonly settle: (tx: Tx) => Promise<void>;
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
export type Prove = (
  needs: ChallengeNeeds,
  request: CallRequest<'answerChallenge'>,
  record: ChallengeRecord,
) => Promise<Proof>;

/** Leaves a wrong answer in the audit log, in a transaction of its own: the refusal itself is thrown afterwards. */
export async function noteFailure(
  { commands }: Pick<ChallengeNeeds, 'commands'>,
  { origin }: CallRequest<'answerChallenge'>,
  { citizen_id, step }: ChallengeRecord,
): Promise<void> {
  await commands.run(origin, ({ audit }) => audit('sign-in-failed', citizen_id, { challenge: step }));
}
