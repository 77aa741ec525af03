import { join } from 'node:path';
import { Kysely, PostgresDialect, sql, type Dialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { lockDataFolder } from './data-lock.ts';
import { migrate } from './migrate.ts';
import { startPGlite } from './pglite-client.ts';
import { pgliteDialect } from './pglite-dialect.ts';
import { retrySerialization } from './retry.ts';
import type { Database } from './schema.ts';

/** A running command's transaction. */
export type Tx = Transaction<Database>;

/** The database: reads and single statements by `db`, everything else by `transaction`. */
export interface Store {
  readonly db: Kysely<Database>;
  /**
   * Runs a command in one serializable transaction, again when the database asks for it: `work` must have no effect
   * outside. It may append to the audit log. Resolved means committed.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Where the database is: a URL of PostgreSQL, or a folder for the embedded one (null: in memory, for tests). */
export type StoreLocation =
  | { readonly url: string; readonly pool: number }
  | { readonly folder: string | null };

/** Opens the database and brings its tables up to date. */
export async function openStore(location: StoreLocation, log: Logger): Promise<Store> {
  const { dialect, release } = await open(location, log);
  const db = new Kysely<Database>({ dialect });
  const close = async () => {
    await db.destroy();
    await release();
  };
  try {
    await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db,
    transaction: (work) => retrySerialization(() => db.transaction().setIsolationLevel('serializable').execute(async (tx) => {
      // First of all, since LOCK takes no snapshot: commands, which all end in the audit chain, then wait for each other
      // instead of failing each other.
      await sql`lock table audit in exclusive mode`.execute(tx);
      return work(tx);
    })),
    close,
  };
}

async function open(location: StoreLocation, log: Logger): Promise<{ dialect: Dialect; release: () => Promise<void> }> {
  if ('url' in location) return { dialect: postgres(location, log), release: async () => {} };
  if (location.folder === null) return { dialect: pgliteDialect(await startPGlite(null)), release: async () => {} };
  const release = await lockDataFolder(location.folder);
  try {
    return { dialect: pgliteDialect(await startPGlite(join(location.folder, 'database'))), release };
  } catch (error) {
    await release();
    throw error;
  }
}

function postgres({ url, pool }: { url: string; pool: number }, log: Logger): Dialect {
  const connections = new pg.Pool({
    connectionString: url, max: pool, connectionTimeoutMillis: 10_000, statement_timeout: 30_000, types: { getTypeParser },
  });
  connections.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  return new PostgresDialect({ pool: connections });
}

/** Reads bigint as a number, as the embedded database does: sequence numbers stay far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'); // overloaded by literal format
