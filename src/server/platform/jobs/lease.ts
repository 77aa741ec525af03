import { sql } from 'kysely';
import { leaseS } from '../base/periods.ts';
import type { Store } from '../database/open-store.ts';

const until = sql<Date>`clock_timestamp() + ${leaseS} * interval '1 second'`;

/** Until when it lasts. Who takes a lease over does so after that moment, and has a later one: it names the holder. */
const holder = sql<string>`until::text`.as('holder');

/** Thrown by a renewal that came too late: another replica is at the work now. */
export class LeaseLost extends Error {}

/**
 * Does a work that one replica at a time is enough for; false where another one is at it. `work` calls `renew` at each piece of what may take
 * long; it throws a LeaseLost where another replica has taken over, and that one's lease stays.
 */
export async function underLease(
  { db }: Store,
  name: string,
  work: (renew: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const taken = await db
    .insertInto('leases')
    .values({ name, until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ until })
        // further ahead than any holder writes it, somebody else moved it: it would hold the work up
        .where(({ eb, or }) =>
          or([
            eb('leases.until', '<', sql<Date>`now()`),
            eb('leases.until', '>', sql<Date>`${until} + interval '1 minute'`),
          ]),
        ),
    )
    .returning(holder)
    .executeTakeFirst();
  if (taken === undefined) return false;
  let held = taken.holder;
  const ours = () => sql<boolean>`name = ${name} and until = ${held}::timestamptz`;
  try {
    await work(async () => {
      const renewed = await db.updateTable('leases').set({ until }).where(ours()).returning(holder).executeTakeFirst();
      if (renewed === undefined) throw new LeaseLost(`The lease of "${name}" was not renewed in time.`);
      held = renewed.holder;
    });
  } finally {
    await db.deleteFrom('leases').where(ours()).execute();
  }
  return true;
}

/** A time in so many seconds by the clock of the database, which is one for all replicas. */
export function inSeconds(seconds: number) {
  return sql<Date>`now() + ${seconds} * interval '1 second'`;
}

/** How long what failed waits until it is tried again, in seconds: a pause that doubles by attempt, up to an hour. */
export function pauseAfter(attempts: number): number {
  return Math.min(60 * 60, 5 * 2 ** attempts);
}
