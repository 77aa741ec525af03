import { sql } from 'kysely';
import { leaseDurationS } from '../base/fixed-periods.ts';
import type { DatabaseStore } from '../database/open-store.ts';

const leaseEnd = sql<Date>`clock_timestamp() + ${leaseDurationS} * interval '1 second'`;

/** The end of the lease identifies the holder, because a later holder always has a later end. */
const holderColumn = sql<string>`until::text`.as('holder');

/** Thrown to a holder that renewed its lease too late, after another replica had taken it over. */
export class LeaseLostError extends Error {}

/**
 * Runs work that only one replica may do at a time. Returns `false` if another replica is doing it. `work` must call `renew` regularly, which throws a
 * `LeaseLostError` if another replica has taken over the lease.
 */
export async function runWithLease(
  { db }: DatabaseStore,
  name: string,
  work: (renew: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const taken = await db
    .insertInto('leases')
    .values({ name, until: leaseEnd })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ until: leaseEnd })
        // Also takes over a lease that ends later than any holder would set it: somebody edited its row, which would block the work.
        .where(({ eb, or }) =>
          or([
            eb('leases.until', '<', sql<Date>`now()`),
            eb('leases.until', '>', sql<Date>`${leaseEnd} + interval '1 minute'`),
          ]),
        ),
    )
    .returning(holderColumn)
    .executeTakeFirst();
  if (taken === undefined) return false;
  let held = taken.holder;
  const buildOwnLeaseCondition = () => sql<boolean>`name = ${name} and until = ${held}::timestamptz`;
  try {
    await work(async () => {
      const renewed = await db
        .updateTable('leases')
        .set({ until: leaseEnd })
        .where(buildOwnLeaseCondition())
        .returning(holderColumn)
        .executeTakeFirst();
      if (renewed === undefined) throw new LeaseLostError(`The lease of "${name}" was not renewed in time.`);
      held = renewed.holder;
    });
  } finally {
    await db.deleteFrom('leases').where(buildOwnLeaseCondition()).execute();
  }
  return true;
}

/** Builds the SQL expression of a time `seconds` from now, by the database's clock, which all replicas share. */
export function buildDatabaseTimeAfter(seconds: number) {
  return sql<Date>`now() + ${seconds} * interval '1 second'`;
}

/** Returns the pause before the next attempt, in seconds. It doubles with each attempt, up to an hour. */
export function computeRetryPauseS(attempts: number): number {
  return Math.min(60 * 60, 5 * 2 ** attempts);
}
