import { sql } from 'kysely';
import { leaseS } from '../base/periods.ts';
import type { Store } from '../database/open-store.ts';

const until = sql<Date>`clock_timestamp() + ${leaseS} * interval '1 second'`;

/** End of the lease as text. It identifies the holder, because a later holder always has a later end. */
const holder = sql<string>`until::text`.as('holder');

/** Error of a holder that renewed its lease too late, after another replica had taken it over. */
export class LeaseLost extends Error {}

/**
 * Runs work that only one replica should do at a time. Returns `false` if another replica is doing it. `work` must call `renew` regularly, which
 * throws a `LeaseLost` if another replica has taken over. That replica then keeps its lease.
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
        // no holder sets an end so far ahead: somebody edited it, and it would block the work
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

/** SQL for the time in `seconds` from now, by the database's clock, which all replicas share. */
export function inSeconds(seconds: number) {
  return sql<Date>`now() + ${seconds} * interval '1 second'`;
}

/** Returns the pause in seconds before the next attempt. It doubles with each attempt, up to an hour. */
export function pauseAfter(attempts: number): number {
  return Math.min(60 * 60, 5 * 2 ** attempts);
}
