import { sql } from 'kysely';
import type { Store } from '../database/open-store.ts';

/** Seconds that a lease lasts after it was last renewed. */
const leaseS = 600;

/** Does a work that one replica at a time is enough for; false where another one is at it. `work` calls `renew` when it takes long. */
export async function underLease(
  store: Store,
  name: string,
  work: (renew: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const until = sql<Date>`now() + ${leaseS} * interval '1 second'`;
  const held = await store.db
    .insertInto('leases')
    .values({ name, until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ until })
        .where('leases.until', '<', sql<Date>`now()`),
    )
    .returning('name')
    .executeTakeFirst();
  if (held === undefined) return false;
  try {
    await work(async () => {
      await store.db.updateTable('leases').set({ until }).where('name', '=', name).execute();
    });
  } finally {
    await store.db.deleteFrom('leases').where('name', '=', name).execute();
  }
  return true;
}
