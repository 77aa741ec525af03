import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { runInChildSpan } from '../traces/trace.ts';

/** Kysely's `PostgresPoolClient` without cursors, because the portal streams no results. */
export interface PooledConnection {
  query(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>>;
  release(): void;
}

/** Weight of the latest value in the moving average. */
const latestWeight = 0.1;

/**
 * Traces each statement and estimates the wait for one of `count` connections: the average time that a caller uses a connection, times the number of
 * waiting callers per connection, but at least the time that the oldest caller has already waited, because the average does not change while PostgreSQL
 * hangs.
 */
export function createMeasuredConnectionPool(
  count: number,
  { connect, end }: { readonly connect: () => Promise<PooledConnection>; readonly end: () => Promise<void> },
): PostgresPool & { waitMs(): number } {
  const waiting = new Set<{ readonly since: number }>();
  let loanMs = 0;
  return {
    end,
    async connect() {
      const wait = { since: performance.now() };
      waiting.add(wait);
      try {
        const connection = await connect();
        const since = performance.now();
        return {
          query: ((text: string, parameters: readonly unknown[]) => {
            const name = text.slice(0, text.search(/\W|$/)).toUpperCase();
            const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }; // without the values
            return runInChildSpan({ name, kind: 'client', attributes }, () => connection.query(text, parameters));
          }) as PostgresPoolClient['query'],
          release() {
            loanMs += (performance.now() - since - loanMs) * latestWeight;
            connection.release();
          },
        };
      } finally {
        waiting.delete(wait);
      }
    },
    waitMs() {
      const [first] = waiting;
      if (first === undefined) return 0;
      return Math.max(performance.now() - first.since, (waiting.size / count) * loanMs);
    },
  };
}
