import { join } from 'node:path';
import { Kysely, PostgresDialect, sql, type Dialect, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { assertDatabaseMigrated, listBreakingMigrations, runMigrations } from './migrate.ts';
import { TopicListeners, createPostgresNotifications, type DatabaseNotifications } from './notifications.ts';
import { startPGlite, type PGliteClient } from './pglite-client.ts';
import { createPostgresDialect, type ConnectionPoolUsage, type PostgresOptions } from './postgres-dialect.ts';
import { StartError } from '../base/errors.ts';
import { canChangeTables, grantServerPrivileges } from './roles.ts';
import type { Database } from './schema.ts';
import { DatabaseUnavailableError } from './database-unavailable-error.ts';
import { createMeasuredConnectionPool } from './measured-connection-pool.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const maxAttempts = 8;
const retryableCodes = new Set(['40001', '40P01']); // serialization failure and deadlock
/** Longest wait for the previous retry, so that one hanging transaction does not block all others. */
const maxTurnMs = 2_000;

type RetryOnConflict = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates the retry of transactions after serialization failures. First attempts run concurrently. Later attempts run one after another, after a
 * growing random pause, so that a hundred concurrent transactions on the same small tables all finish, whereas concurrent retries would keep
 * conflicting.
 */
function createSerializationRetry(): RetryOnConflict {
  let last: Promise<unknown> = Promise.resolve();
  const runInTurn: RetryOnConflict = async (work) => {
    const mine = last.then(work);
    const turnIsOver = last.then(() => sleep(maxTurnMs, undefined, { ref: false }));
    last = Promise.race([mine.catch(() => undefined), turnIsOver]);
    return mine;
  };
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (attempt === 1 ? work() : runInTurn(work));
      } catch (error) {
        // Both drivers have the SQLSTATE in `code`.
        if (!(error instanceof Error && 'code' in error && retryableCodes.has(String(error.code)))) throw error;
        if (attempt === maxAttempts) throw new DatabaseUnavailableError(error);
        await sleep(Math.random() * 10 * 2 ** attempt);
      }
    }
  };
}

export type Tx = Transaction<Database>;

/** The database. Use `db` for reads and single statements, and `transaction` for everything else. */
export interface DatabaseStore {
  readonly db: Kysely<Database>;
  /** Serializable. Repeats `work` after a serialization failure, so it must have no effect outside of the transaction. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** `null` for the embedded database, which has no pool. */
  readonly readPoolUsage: () => ConnectionPoolUsage | null;
  /** Expected wait for a connection, in milliseconds. 0 if no caller waits. */
  readonly estimateWaitMs: () => number;
  readonly notifications: DatabaseNotifications;
  /** Throws a `DatabaseUnavailableError` if the database does not respond. */
  checkReady(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `ownerUrl`: URL of the role that owns the tables, if it is not the role of `url`. `folder`: data folder of the embedded database, or `null` for a
 * database in memory.
 */
export type DatabaseLocation =
  | { readonly url: string; readonly pool: number; readonly ownerUrl?: string | null }
  | { readonly folder: string | null };

export function locateDatabase(
  { databaseUrl, databaseOwnerUrl, dataDir }: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDir'>,
  pool: number,
): DatabaseLocation {
  return databaseUrl === null ? { folder: dataDir } : { url: databaseUrl, pool, ownerUrl: databaseOwnerUrl };
}

const readyTimeoutMs = 1_500;
const statementLimitMs = 20_000;

type OpenedDatabase = Pick<DatabaseStore, 'db' | 'readPoolUsage' | 'estimateWaitMs' | 'notifications' | 'close'>;

/** Opens the database without migrating it and without a time limit for statements. */
export function openDatabase(location: DatabaseLocation, log: Logger): Promise<Pick<OpenedDatabase, 'db' | 'close'>> {
  return openConnection(location, { log, statementLimitMs: null });
}

export async function openDatabaseStore(location: DatabaseLocation, log: Logger): Promise<DatabaseStore> {
  if ('url' in location) await migrateAsOwner(location, log);
  const opened = await openConnection(location, { log, statementLimitMs });
  const { db } = opened;
  try {
    if (!('url' in location)) await runMigrations(db);
  } catch (error) {
    await opened.close();
    throw error;
  }
  const retry = createSerializationRetry();
  return {
    ...opened,
    transaction: (work) => retry(() => db.transaction().setIsolationLevel('serializable').execute(work)),
    checkReady: createReadinessCheck(db),
  };
}

/**
 * Migrates the database as the owner of its tables, without a time limit, because building an index on a large table takes minutes. Throws a
 * `StartError` if a pending migration would break servers of the previous version, which may still run. If the role cannot change tables, only checks
 * that no migration is pending.
 */
async function migrateAsOwner({ url, ownerUrl }: { url: string; ownerUrl?: string | null }, log: Logger) {
  const { db, close } = await openDatabase({ url: ownerUrl ?? url, pool: 1 }, log);
  try {
    if (!(await canChangeTables(db))) {
      await assertDatabaseMigrated(db);
      return;
    }
    const breaking = await listBreakingMigrations(db);
    if (breaking.length > 0)
      throw new StartError(
        `Servers of the previous version do not work with ${breaking.join(', ')}: stop them, and run npx portal migrate --stopped.`,
      );
    await runMigrations(db);
    if (!ownerUrl) return;
    await grantServerPrivileges(db, url);
    if (await canChangeTables(db, url))
      log.warn(
        'the role of DATABASE_URL can change tables, in spite of DATABASE_OWNER_URL: serve with a role that owns nothing',
      );
  } finally {
    await close();
  }
}

/**
 * Creates the check whether the database responds. All callers share one pending query, so that an unresponsive database does not exhaust the pool.
 */
function createReadinessCheck(db: Kysely<Database>): DatabaseStore['checkReady'] {
  let asked: Promise<unknown> | null = null;
  return async () => {
    asked ??= sql`select 1`.execute(db).finally(() => {
      asked = null;
    });
    const late = sleep(readyTimeoutMs, undefined, { ref: false }).then(() => {
      throw new DatabaseUnavailableError(new Error(`no answer within ${readyTimeoutMs} ms`));
    });
    await Promise.race([asked, late]);
  };
}

async function openConnection(
  location: DatabaseLocation,
  { log, statementLimitMs }: Pick<PostgresOptions, 'log' | 'statementLimitMs'>,
): Promise<OpenedDatabase> {
  if ('url' in location) {
    const news = createPostgresNotifications(location.url, log);
    const { dialect, use, waitMs } = createPostgresDialect({ ...location, log, statementLimitMs });
    return {
      ...openWith(dialect, () => news.close()),
      readPoolUsage: use,
      estimateWaitMs: waitMs,
      notifications: news,
    };
  }
  const { folder } = location;
  const unlock = folder === null ? async () => {} : await lockDataFolder(folder);
  try {
    const listeners = new TopicListeners();
    const client = await startPGlite(folder && join(folder, 'database'), (topic) => listeners.publish(topic));
    const { dialect, waitMs } = createPGliteDialect(client);
    const news: DatabaseNotifications = { subscribe: async (topic, listener) => listeners.add(topic, listener) };
    return { ...openWith(dialect, unlock), readPoolUsage: () => null, estimateWaitMs: waitMs, notifications: news };
  } catch (error) {
    await unlock();
    throw error;
  }
}

function openWith(dialect: Dialect, release: () => Promise<void>): Pick<OpenedDatabase, 'db' | 'close'> {
  const db = new Kysely<Database>({ dialect });
  return {
    db,
    async close() {
      await db.destroy();
      await release();
    },
  };
}

/** Creates the dialect of the embedded database, whose single connection only one caller at a time can use. */
function createPGliteDialect(client: PGliteClient): { readonly dialect: Dialect; readonly waitMs: () => number } {
  const waiting: (() => void)[] = [];
  let busy = false;
  const release = () => {
    const next = waiting.shift();
    if (next)
      next(); // `busy` stays true, because the connection passes to the oldest waiter
    else busy = false;
  };
  const pool = createMeasuredConnectionPool(1, {
    async connect() {
      if (busy) await new Promise<void>((resolve) => waiting.push(resolve));
      busy = true;
      return { query: client.query, release };
    },
    end: client.close,
  });
  return { dialect: new PostgresDialect({ pool }), waitMs: pool.waitMs };
}
