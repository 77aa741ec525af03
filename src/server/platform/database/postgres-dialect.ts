import { PostgresDialect, type Dialect, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { nameOfPrepared } from './prepared.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { timedPool, type Connection } from './waits.ts';

/** How a pool of connections to PostgreSQL is made. */
export interface PostgresOptions {
  readonly url: string;
  readonly pool: number;
  readonly log: Logger;
  /** Longest time of one statement; null: as long as it takes. */
  readonly statementLimitMs: number | null;
}

/** How much later than PostgreSQL itself the client gives a statement up: then nobody is there who could answer. */
const silenceMs = 3_000;

/** Connections of the pool that work, that wait for work, and work that waits for one. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Kysely over PostgreSQL, how its pool is used, and how long work waits for it. Whatever keeps it from answering is a DatabaseUnavailable; a connection that was lost or went silent is not used again. */
export function postgresDialect({ url, pool, log, statementLimitMs }: PostgresOptions): {
  readonly dialect: Dialect;
  readonly use: () => PoolUse;
  readonly waitMs: () => number;
} {
  const connections = new pg.Pool({
    connectionString: url,
    max: pool,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(statementLimitMs !== null && {
      statement_timeout: statementLimitMs,
      query_timeout: statementLimitMs + silenceMs,
    }),
    types: { getTypeParser },
  });
  // Beside the pool's own listener, which an idle connection has: without one, the loss of a busy connection would end the process.
  connections.on('connect', (client) =>
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost')),
  );
  connections.on('error', () => {}); // told above
  const timed = timedPool(pool, { connect: () => connect(connections), end: () => connections.end() });
  return {
    dialect: new PostgresDialect({ pool: timed }),
    waitMs: timed.waitMs,
    use: () => ({
      used: connections.totalCount - connections.idleCount,
      idle: connections.idleCount,
      waiting: connections.waitingCount,
    }),
  };
}

async function connect(connections: pg.Pool): Promise<Connection> {
  try {
    return watch(await connections.connect());
  } catch (error) {
    throw new DatabaseUnavailable(error); // asked for a connection alone: nothing of the statement can be wrong
  }
}

/** After a loss nothing more is asked of the connection, and it is destroyed when it is given back. */
function watch(client: pg.PoolClient): Connection {
  let lost: DatabaseUnavailable | undefined;
  return {
    async query(text, parameters) {
      if (lost !== undefined) throw lost;
      try {
        const name = nameOfPrepared(text);
        const statement = { text, values: [...parameters], ...(name !== undefined && { name }) };
        return (await client.query<object>(statement)) as PostgresQueryResult<unknown>; // the types of pg do not name the commands
      } catch (error) {
        const code = error instanceof pg.DatabaseError ? error.code : undefined;
        if (code !== undefined && !unavailable.test(code)) throw error;
        const failure = new DatabaseUnavailable(error);
        if (code === undefined || fatal.test(code)) lost = failure; // no answer of PostgreSQL's, or its last one
        throw failure;
      }
    },
    release: () => client.release(lost),
  };
}

/** SQLSTATEs that tell of the server and not of the statement: connection, resources, no writes here, taken too long, stopped, broken. */
const unavailable = /^(08...|53...|57...|58...|25006|XX...)$/;
/** Those after which this connection is of no use: it ends, or leads to a server that only reads. */
const fatal = /^(08...|57P..|58...|25006|XX...)$/;

/** Reads bigint as a number, as the embedded database does: sequence numbers stay far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'); // overloaded by literal format
