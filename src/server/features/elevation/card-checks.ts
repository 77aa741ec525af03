import { after } from '../../platform/base/clock.ts';
import type { Store } from '../../platform/database/open-store.ts';

/** Time after a passed card check in which its session can book without the serial number, in seconds. */
const lifeS = 30 * 60;

/** Records that the citizen of a session passed the card check (section 8.5 of the specification). */
export async function noteCardCheck({ db }: Store, sessionId: string, now: Date): Promise<void> {
  await db
    .insertInto('card_checks')
    .values({ session_id: sessionId, passed_at: now })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ passed_at: now }))
    .execute();
}

export async function hasPassedCardCheck({ db }: Store, sessionId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('card_checks')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('passed_at', '>', after(now, -lifeS))
    .executeTakeFirst();
  return row !== undefined;
}
