import { sql } from 'kysely';

/** A time in so many seconds by the clock of the database, which is one for all replicas. */
export function inSeconds(seconds: number) {
  return sql<Date>`now() + ${seconds} * interval '1 second'`;
}

/** How long what failed waits until it is tried again, in seconds: a pause that doubles by attempt, up to an hour. */
export function pauseAfter(attempts: number): number {
  return Math.min(60 * 60, 5 * 2 ** attempts);
}
