import type { CallRequest } from '../../base/call.ts';
import type { Parts } from '../../app/parts.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Tx } from '../../database/open-store.ts';
import type { ChallengeRecord } from '../../sessions/challenge-record.ts';

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
export type Prove = (parts: Parts, request: CallRequest<'answerChallenge'>, record: ChallengeRecord) => Promise<Proof>;

/** Leaves a wrong answer in the audit log, in a transaction of its own: the refusal itself is thrown afterwards. */
export async function noteFailure(
  { store, clock }: Parts,
  { address, requestId }: CallRequest<'answerChallenge'>,
  { citizen_id, step }: ChallengeRecord,
): Promise<void> {
  await store.transaction((tx) =>
    appendAudit(tx, {
      at: clock.now(),
      action: 'sign-in-failed',
      citizenId: citizen_id,
      address,
      requestId,
      details: { challenge: step },
    }),
  );
}
