import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Store } from '../database/open-store.ts';

const toleratedMs = 5_000;

/** Warns when the clock of this machine and the database's differ: links, codes and sessions would end too early or too late. */
export async function warnOfSkew(store: Store, clock: Clock, log: Logger): Promise<void> {
  const before = clock.now().getTime();
  const {
    rows: [row],
  } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(store.db);
  const after = clock.now().getTime();
  const database = row?.at.getTime() ?? before;
  const skewMs = database < before ? before - database : database > after ? after - database : 0;
  if (Math.abs(skewMs) <= toleratedMs) return;
  log.warn(
    { aheadS: Math.round(skewMs / 1000) },
    "the clock of this machine is not the database's: set one of them right",
  );
}
