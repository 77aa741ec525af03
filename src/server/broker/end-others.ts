import { closeChallenges } from './challenges/challenge-record.ts';
import { voidCodes } from '../store/mailed-codes.ts';
import type { Tx } from '../store/open-store.ts';
import { revokeSessions } from './sessions.ts';

/** Ends what was proven before a change of the account: its running sign-ins, mailed codes, and sessions but the one to keep. */
export async function endOthers(tx: Tx, citizenId: string, now: Date, keep: string | null): Promise<void> {
  await closeChallenges(tx, citizenId, now);
  await voidCodes(tx, citizenId);
  await revokeSessions(tx, citizenId, now, keep);
}
