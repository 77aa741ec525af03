import { PostgresDialect, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { findPreparedStatementName } from './prepared-query.ts';
import { DatabaseUnavailableError } from './database-unavailable-error.ts';
import { createMeasuredConnectionPool, type PooledConnection } from './measured-connection-pool.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly pool: number;
  readonly log: Logger;
  /** `null` for no limit. */
  readonly statementLimitMs: number | null;
}

/** Time that the client waits beyond PostgreSQL's own statement limit, in milliseconds. A reachable server has responded by then. */
const unresponsiveMs = 3_000;

export interface ConnectionPoolUsage {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * Creates Kysely's dialect for PostgreSQL. Connection failures become a `DatabaseUnavailableError`. A connection that was lost or stopped responding
 * is not reused.
 */
export function createPostgresDialect({ url, pool, log, statementLimitMs }: PostgresOptions) {
  const connections = new pg.Pool({
    connectionString: url,
    max: pool,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(statementLimitMs !== null && {
      statement_timeout: statementLimitMs,
      query_timeout: statementLimitMs + unresponsiveMs,
    }),
    types: { getTypeParser },
  });
  // Without this listener, losing a busy connection would end the process. The pool only handles errors of idle connections.
  connections.on('connect', (client) =>
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost')),
  );
  connections.on('error', () => {}); // the listener above has already logged the error
  const timed = createMeasuredConnectionPool(pool, {
    connect: async () => {
      const client = await connections.connect().catch((error: unknown): never => {
        throw new DatabaseUnavailableError(error); // opening a connection runs no statement of the caller, so each failure is the database's fault
      });
      return wrapConnection(client);
    },
    end: () => connections.end(),
  });
  return {
    dialect: new PostgresDialect({ pool: timed }),
    waitMs: timed.waitMs,
    use: (): ConnectionPoolUsage => ({
      used: connections.totalCount - connections.idleCount,
      idle: connections.idleCount,
      waiting: connections.waitingCount,
    }),
  };
}

/** After a connection failure, rejects further queries, and destroys the connection on release. */
function wrapConnection(client: pg.PoolClient): PooledConnection {
  let lost: DatabaseUnavailableError | undefined;
  return {
    async query(text, parameters) {
      if (lost !== undefined) throw lost;
      try {
        const name = findPreparedStatementName(text);
        const statement = { text, values: [...parameters], ...(name !== undefined && { name }) };
        return (await client.query<object>(statement)) as PostgresQueryResult<unknown>; // the cast is needed because the types of pg are less specific about `command`
      } catch (error) {
        const code = error instanceof pg.DatabaseError ? error.code : undefined;
        if (code !== undefined && !unavailableCodes.test(code)) throw error;
        const failure = new DatabaseUnavailableError(error);
        if (code === undefined || fatalCodes.test(code)) lost = failure; // PostgreSQL did not respond, or has closed the connection
        throw failure;
      }
    },
    release: () => client.release(lost),
  };
}

/** SQLSTATEs caused by the server and not by the statement: connection, resources, read-only, timeout, shutdown, corruption. */
const unavailableCodes = /^(08...|53...|57...|58...|25006|XX...)$/;
/** SQLSTATEs after which a connection must not be reused: it is closed, or its server has become read-only. */
const fatalCodes = /^(08...|57P..|58...|25006|XX...)$/;

/** Parses bigint as a number, as the embedded database does. Sequence numbers are far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'); // the cast is needed because the overloads require a literal format
