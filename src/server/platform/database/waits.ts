import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { traced } from '../traces/trace.ts';

/** A connection of a pool. The database streams nothing, so it needs no cursors. */
export interface Connection {
  query(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>>;
  release(): void;
}

/** A pool that knows how long work waits for one of its connections. */
export interface TimedPool extends PostgresPool {
  /** Expected wait for a connection, in milliseconds. 0 if nothing waits. */
  waitMs(): number;
}

/** Weight of the last loan in the moving average. */
const newest = 0.1;

/**
 * A pool for Kysely that traces each statement, and measures how long each of its `count` connections is lent and waited for. Whoever asks now waits
 * as long as the loans before take, and at least as long as the first of them has waited: if PostgreSQL hangs, no loan ends.
 */
export function timedPool(
  count: number,
  { connect, end }: { readonly connect: () => Promise<Connection>; readonly end: () => Promise<void> },
): TimedPool {
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
          query: ((text: string, parameters: readonly unknown[]) =>
            traceStatement(text, () => connection.query(text, parameters))) as PostgresPoolClient['query'],
          release() {
            loanMs += (performance.now() - since - loanMs) * newest;
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

/** A span contains the text of its statement and none of the values. */
function traceStatement<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  return traced(
    () => ({
      name: text.slice(0, text.search(/\W|$/)).toUpperCase(),
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    }),
    work,
  );
}
