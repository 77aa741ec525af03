import { sql, type QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { DatabaseStore } from '../database/open-store.ts';

export const maxClockSkewMs = 5_000;

/** Returns the milliseconds by which this clock is ahead of the database's. Ignores a difference smaller than the duration of the query. */
export async function measureClockSkewMs(db: QueryExecutorProvider, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  const after = clock.now().getTime();
  const database = rows[0]?.at.getTime() ?? before;
  return database < before ? before - database : database > after ? after - database : 0;
}

/** Logs a warning if this server's clock is wrong, because links, codes and sessions would expire too early or too late. */
export async function warnOfClockSkew(store: DatabaseStore, clock: Clock, log: Logger): Promise<void> {
  const aheadMs = await measureClockSkewMs(store.db, clock);
  if (Math.abs(aheadMs) <= maxClockSkewMs) return;
  log.warn(
    { aheadS: Math.round(aheadMs / 1000) },
    "the clock of this machine is not the database's: set one of them right",
  );
}
