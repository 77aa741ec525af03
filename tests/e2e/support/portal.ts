import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../server/support/free-port.ts';
import { sharedServer, startPostgres } from '../../server/support/postgres.ts';
import { placeDatabase } from '../../server/support/tables.ts';

/** The project's folder. */
export const projectRoot = resolve(import.meta.dirname, '../../..');

/** Longest wait for a start. */
const startLimitMs = 120_000;

/** A real server: random ports, tables without rows, a cheap captcha. */
export interface Portal {
  readonly url: string;
  readonly outboxUrl: string;
  /** Settings by which a command finds the database and the keys; the embedded database has one process only. */
  readonly operator: { readonly DATABASE_URL: string; readonly KEYS_DIR: string };
}

/** One that the test itself has started. */
export interface OwnPortal extends Portal {
  /** What the process has printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts the server of the project at `root`, by a command of Node.js, and waits until it is ready; throws with its output when it does not start. */
export async function startPortal(
  root = projectRoot,
  env: Readonly<Record<string, string>> = {},
  command: readonly string[] = ['src/cli/run.mjs', 'src/server/app/main.ts'],
): Promise<OwnPortal> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-'));
  const [port, outboxPort] = [env['PORT'] ?? (await freePort()), await freePort()];
  const ownDatabase = env['DATABASE_URL'] !== undefined;
  const postgres = !ownDatabase && process.env[sharedServer] ? await startPostgres({ tables: true }) : null;
  if (!ownDatabase && !postgres) await placeDatabase(folder);
  const url = `http://localhost:${port}`;
  const printed: string[] = [];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: {
      ...process.env,
      SHED_LAG_MS: '0', // the machine is busy with all the tests
      NODE_ENV: 'test',
      HOST: 'localhost',
      PORT: String(port),
      BASE_URL: url,
      OUTBOX_PORT: String(outboxPort),
      DATA_DIR: folder,
      CAPTCHA_COST: '10',
      LOG_LEVEL: 'warn',
      ...(postgres && { DATABASE_URL: postgres.url }),
      ...env,
    },
  });
  child.stdout.on('data', (chunk) => printed.push(String(chunk)));
  child.stderr.on('data', (chunk) => printed.push(String(chunk)));
  const portal: OwnPortal = {
    url,
    outboxUrl: `http://127.0.0.1:${outboxPort}`,
    operator: { DATABASE_URL: postgres?.url ?? '', KEYS_DIR: join(folder, 'keys') },
    output: () => printed.join(''),
    stop: async () => {
      await end(child);
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await waitUntilReady(portal, child);
  return portal;
}

async function waitUntilReady(portal: OwnPortal, child: ChildProcess): Promise<void> {
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
