import { after } from '../../platform/base/clock.ts';
import type { Store } from '../../platform/database/open-store.ts';

/** How long a passed identity check lets its session book without the serial number, in seconds. */
const lifeS = 30 * 60;

/** Notes that the citizen of a session passed the identity check of section 8.5 of the specification. */
export async function noteCardCheck({ db }: Store, sessionId: string, now: Date): Promise<void> {
  await db
    .insertInto('card_checks')
    .values({ session_id: sessionId, passed_at: now })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ passed_at: now }))
    .execute();
}

/** Whether a session passed the identity check a short time ago. */
export async function hasPassedCardCheck({ db }: Store, sessionId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('card_checks')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('passed_at', '>', after(now, -lifeS))
    .executeTakeFirst();
  return row !== undefined;
}
