import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/cli/cluster/start-replica-cluster.ts';
import { migrateTables, hashMigrations } from './tables.ts';
import { findFreePort } from './free-port.ts';

export interface TestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a database with separate roles for the owner and the server, as in deploy/roles.sql. */
export async function startSplitPostgres(): Promise<TestPostgres & Readonly<Record<'ownerUrl' | 'adminUrl', string>>> {
  const { url, stop } = await startPostgres();
  const [owner, server] = ['owner', 'server'].map((name) => `${name}_${databaseOf(url)}`) as [string, string];
  await asAdmin(url, async (admin) => {
    for (const role of [owner, server]) await admin.query(`create role ${role} login password 'x'`);
    await admin.query(`alter database ${databaseOf(url)} owner to ${owner}`);
  });
  const as = (role: string) => Object.assign(new URL(url), { username: role, password: 'x' }).href;
  return { url: as(server), ownerUrl: as(owner), adminUrl: url, stop };
}

/** Name of the environment variable with the URL of the shared server. `shared-postgres.ts` sets it. */
export const sharedServer = 'TEST_POSTGRES';

/**
 * Creates a database on the shared server, if there is one. Otherwise starts an embedded server, and tries a second
 * time if that fails. With `tables`, the database is migrated.
 */
export async function startPostgres({ tables = false } = {}): Promise<TestPostgres> {
  const shared = process.env[sharedServer];
  if (shared) return createDatabase(shared, tables ? await createTemplate(shared) : 'template1');
  const own = await startServer();
  if (tables) await migrateTables({ url: own.url, pool: 1 });
  return own;
}

/**
 * Server options that disable durability. Most work is copying and dropping databases, and the write-ahead log would
 * dominate its cost.
 */
const shortLived = [
  ['full_page_writes', 'off'],
  ['synchronous_commit', 'off'],
  ['wal_level', 'minimal'],
  ['max_wal_senders', '0'],
  ['autovacuum', 'off'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Starts an embedded server with its first database. */
export async function startServer(): Promise<TestPostgres> {
  const start = async () => startEmbeddedPostgres(await findFreePort(), shortLived);
  return start().catch(start);
}

/** Returns the template database. The first caller creates it. Others wait for an advisory lock. */
async function createTemplate(server: string): Promise<string> {
  const name = `tables_${hashMigrations()}`;
  await asAdmin(server, async (admin) => {
    await admin.query('select pg_advisory_lock(1)');
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    const { url } = await createDatabase(server, 'template1');
    await migrateTables({ url, pool: 1 });
    await admin.query(`alter database ${databaseOf(url)} rename to ${name}`);
  });
  return name;
}

async function createDatabase(server: string, template: string): Promise<TestPostgres> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await asAdmin(server, (admin) => admin.query(`create database ${name} template ${template} strategy file_copy`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    stop: () => asAdmin(server, async (admin) => void (await admin.query(`drop database ${name} with (force)`))),
  };
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Runs work on a separate connection. Closing the connection releases its locks. */
async function asAdmin<Result>(server: string, work: (admin: pg.Client) => Promise<Result>): Promise<Result> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
