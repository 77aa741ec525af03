import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePort } from '../../server/support/free-port.ts';
import { sharedServer, startPostgres } from '../../server/support/postgres.ts';
import { placeSigningKey } from '../../server/support/signing-key.ts';
import { placeDatabase } from '../../server/support/tables.ts';

export const projectRoot = resolve(import.meta.dirname, '../../..');

/** Timeout for the start of a server, in milliseconds. */
const startLimitMs = 120_000;

/** A real server with random ports, an empty database and a cheap captcha. */
export interface Portal {
  readonly url: string;
  readonly outboxUrl: string;
  /**
   * Settings for commands that need the database and the keys. Commands require PostgreSQL, because an embedded
   * database permits only one process.
   */
  readonly operator: { readonly DATABASE_URL: string; readonly KEYS_DIR: string };
}

/** A portal that the test itself starts and stops. */
export interface OwnPortal extends Portal {
  stop(): Promise<void>;
}

export interface PortalProcess extends OwnPortal {
  output(): string;
}

/** Name of the environment variable with the URL of `portal-host.ts`. */
export const portalHost = 'TEST_PORTAL_HOST';

/**
 * Starts the project's server with the given settings: in the shared host process of the run, or else in a new process.
 * Throws if the server does not start.
 */
export async function startPortal(env: Readonly<Record<string, string>> = {}): Promise<OwnPortal> {
  const host = process.env[portalHost];
  if (host === undefined) return startPortalProcess(projectRoot, env);
  const { portal, settings, remove } = await prepare(env);
  const started = await fetch(host, { method: 'POST', body: JSON.stringify(settings) });
  if (!started.ok) throw new Error(`The server did not start:\n${await started.text()}`);
  return {
    ...portal,
    stop: async () => {
      await fetch(host, { method: 'DELETE', body: portal.url });
      await remove();
    },
  };
}

/**
 * Starts the server of the project at `root` in a Node.js process, and waits until it is ready. Throws its output if it
 * does not start.
 */
export async function startPortalProcess(
  root: string,
  env: Readonly<Record<string, string>> = {},
  command: readonly string[] = ['src/cli/run.mjs', 'src/server/app/main.ts'],
): Promise<PortalProcess> {
  const { portal, settings, remove } = await prepare(env);
  const printed: string[] = [];
  const child = spawn(process.execPath, command, { cwd: root, env: { ...process.env, ...settings } });
  child.stdout.on('data', (chunk) => printed.push(String(chunk)));
  child.stderr.on('data', (chunk) => printed.push(String(chunk)));
  const own: PortalProcess = {
    ...portal,
    output: () => printed.join(''),
    stop: async () => {
      await end(child);
      await remove();
    },
  };
  await waitUntilReady(own, child);
  return own;
}

/** Starts the development server of the project at `root`, with the embedded database. */
export function startDevelopment(root: string): Promise<PortalProcess> {
  const settings = { NODE_ENV: 'development', DATABASE_URL: '' };
  return startPortalProcess(root, settings, ['src/cli/portal.mjs', 'dev']);
}

/**
 * Reserves ports, a folder and a database for a server. Returns its settings, and a function that removes everything.
 */
async function prepare(env: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'portal-'));
  const [port, outboxPort] = [env['PORT'] ?? (await findFreePort()), await findFreePort()];
  const given = env['DATABASE_URL'];
  const postgres = given === undefined && process.env[sharedServer] ? await startPostgres({ tables: true }) : null;
  if (!given && !postgres) await placeDatabase(folder);
  await placeSigningKey(folder);
  const url = `http://localhost:${port}`;
  const portal: Portal = {
    url,
    outboxUrl: `http://127.0.0.1:${outboxPort}`,
    operator: { DATABASE_URL: postgres?.url ?? '', KEYS_DIR: join(folder, 'keys') },
  };
  const settings: Readonly<Record<string, string>> = {
    SHED_LAG_MS: '0', // disables load shedding, because tests keep the machine busy
    NODE_ENV: 'test',
    HOST: 'localhost',
    PORT: String(port),
    BASE_URL: url,
    OUTBOX_PORT: String(outboxPort),
    DATA_DIR: folder,
    CAPTCHA_COST: '10',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 'loopback', // lets tests create accounts from many networks over HTTP
    ...(postgres && { DATABASE_URL: postgres.url }),
    ...env,
  };
  const remove = async () => {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { portal, settings, remove };
}

async function waitUntilReady(portal: PortalProcess, child: ChildProcess): Promise<void> {
  const limit = Date.now() + startLimitMs;
  while (child.exitCode === null && Date.now() < limit) {
    const ready = await fetch(`${portal.url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  await portal.stop();
  throw new Error(`The server did not start:\n${portal.output()}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolveEnd) => child.once('close', resolveEnd));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(timer);
}
