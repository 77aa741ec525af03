import pg from 'pg';
import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { command as doctor } from '../../../src/cli/doctor/doctor.ts';
import { command as migrateCommand } from '../../../src/cli/database/migrate.ts';
import { createRestoreCleanup } from '../../../src/server/app/purge-expired-data.ts';
import { systemClock } from '../../../src/server/platform/base/clock.ts';
import { generateBackupLines } from '../../../src/server/platform/database/backup.ts';
import { buildIndexesConcurrently } from '../../../src/server/platform/database/index-migration.ts';
import {
  compatibleMigrations,
  runMigrations,
  migrationNames,
  listAppliedMigrations,
} from '../../../src/server/platform/database/migrate.ts';
import { openDatabase, openDatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { restoreBackup } from '../../../src/server/platform/database/restore-backup.ts';
import type { Database } from '../../../src/server/platform/database/schema.ts';
import { generateAuditKey, parseAuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import { describeTables, insertAnyRows, formatTables, type InsertedRow, type Tables } from '../support/any-rows.ts';
import { defaultDatabase } from '../support/databases.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { runInProcess } from '../support/run-command.ts';

// Migrations of later versions: the first adds a column, the second creates an index, and the third breaks the previous
// version.
vi.mock('../../../src/server/platform/database/migrations/migrations.ts', async (importOriginal) => {
  const published = await importOriginal<object>();
  const { createIndexMigration } = await import('../../../src/server/platform/database/index-migration.ts');
  const run = (statement: string) => (db: Kysely<unknown>) => sql.raw(statement).execute(db);
  return {
    migrations: {
      ...('migrations' in published && (published.migrations as object)),
      '900-adds': { isCompatible: true, up: run('alter table citizens add column nickname text') },
      '901-index': createIndexMigration({ citizens_nickname: 'on citizens (nickname)' }),
      '902-breaks': { up: run('alter table citizens drop column nickname') },
    },
  };
});

const silent = pino({ level: 'silent' });
const index = 'citizens_nickname';

interface MigrationStep {
  readonly name: string;
  readonly before: Tables;
  readonly after: Tables;
  /** Error of an INSERT of the previous version after the migration. `null` if the INSERT succeeds. */
  readonly refused: string | null;
}

describe('migrations', () => {
  const steps: MigrationStep[] = [];
  const inserted: InsertedRow[] = [];
  let final = '';
  let fresh = '';
  let rows = new Map<string, readonly Record<string, unknown>[]>();

  beforeAll(async () => {
    await withDatabase(async (db) => {
      await runMigrations(db);
      fresh = await formatTables(db);
    });
    await withDatabase(async (db) => {
      let before: Tables = { columns: [], keys: [] };
      for (const name of migrationNames) {
        await runMigrations(db, name);
        const after = await describeTables(db);
        const refused = await insertAnyRows(db, before).then(
          (old) => {
            inserted.push(...old);
            return null;
          },
          (error: unknown) => String(error),
        );
        inserted.push(...(await insertAnyRows(db, after)));
        steps.push({ name, before, after, refused });
        before = after;
      }
      final = await formatTables(db);
      rows = await readAllRows(db);
    });
  }, 240_000);

  test('[OPER-06] produce the tables of a new database from every earlier version', () => {
    expect(migrationNames[0]).toBe('001-baseline');
    expect(steps).toHaveLength(migrationNames.length);
    expect(final).toBe(fresh);
  });

  test('[OPER-06] preserve the rows of every earlier version', () => {
    expect(inserted.length).toBeGreaterThan(200);
    const lost = inserted.filter(({ table, json }) => {
      const old = Object.entries(JSON.parse(json) as Record<string, unknown>);
      return !rows
        .get(table)
        ?.some((row) =>
          old.every(([name, value]) => !(name in row) || JSON.stringify(row[name]) === JSON.stringify(value)),
        );
    });
    expect(lost).toEqual([]);
  });

  test.each(compatibleMigrations)('[OPER-06] %s is compatible with servers of the previous version', (name) => {
    const step = steps.find((one) => one.name === name);
    if (!step) throw new Error(`${name} did not run`);
    expect(step.refused).toBe(null);
    expect(listLostColumns(step)).toEqual([]);
    // Targets of ON CONFLICT must remain. Partial indexes are excluded, because a narrower one rejects fewer rows.
    const keys = step.before.keys.filter((key) => !key.includes(' WHERE '));
    expect(keys.filter((key) => !step.after.keys.includes(key))).toEqual([]);
  });

  test('[OPER-06] 902-breaks is detected as incompatible because it drops a column', () => {
    const step = steps.find(({ name }) => name === '902-breaks');
    expect(step && listLostColumns(step)).toMatchObject([{ table: 'citizens', name: 'nickname' }]);
  });
});

function listLostColumns({ before, after }: MigrationStep) {
  const kept = new Map(after.columns.map((column) => [`${column.table}.${column.name}`, column.type]));
  return before.columns.filter(({ table, name, type }) => kept.get(`${table}.${name}`) !== type);
}

async function readAllRows(db: Kysely<Database>): Promise<Map<string, readonly Record<string, unknown>[]>> {
  const { columns } = await describeTables(db);
  const all = new Map<string, readonly Record<string, unknown>[]>();
  for (const table of new Set(columns.map((column) => column.table))) {
    const found = await sql<{ json: string }>`select to_jsonb(t)::text as json from ${sql.table(table)} t`.execute(db);
    all.set(
      table,
      found.rows.map(({ json }) => JSON.parse(json) as Record<string, unknown>),
    );
  }
  return all;
}

async function withDatabase(work: (db: Kysely<Database>) => Promise<void>): Promise<void> {
  const postgres = defaultDatabase === 'postgresql' ? await startPostgres() : null;
  const { db, close } = await openDatabase(postgres ? { url: postgres.url, pool: 1 } : { folder: null }, silent);
  try {
    await work(db);
  } finally {
    await close();
    await postgres?.stop();
  }
}

/** Starts a PostgreSQL server, and closes it with all connections after `work`. */
async function withPostgres(work: (postgres: TestPostgres, open: () => Promise<Kysely<Database>>) => Promise<void>) {
  const postgres = await startPostgres();
  const opened: Awaited<ReturnType<typeof openDatabase>>[] = [];
  const open = async () => {
    const one = await openDatabase({ url: postgres.url, pool: 1 }, silent);
    opened.push(one);
    return one.db;
  };
  try {
    await work(postgres, open);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
    await postgres.stop();
  }
}

test('[OPER-06] server start and portal migrate reject an incompatible migration, which portal migrate --stopped runs', () =>
  withPostgres(async ({ url }, open) => {
    const db = await open();
    await runMigrations(db, '901-index');
    const before = await listAppliedMigrations(db);
    await expect(openDatabaseStore({ url, pool: 1 }, silent)).rejects.toThrow(
      'Servers of the previous version do not work with 902-breaks: stop them, and run npx portal migrate --stopped.',
    );
    const env = { BASE_URL: '', DATABASE_URL: url };
    expect(await runInProcess(migrateCommand, [], env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('902-breaks'),
    });
    expect(await listAppliedMigrations(db), 'no migration was run').toEqual(before);
    expect((await runInProcess(migrateCommand, ['--stopped'], env)).stdout).toContain('902-breaks\n');
    expect((await runInProcess(migrateCommand, [], env)).stdout).toBe('The tables are up to date.\n');
    await (await openDatabaseStore({ url, pool: 1 }, silent)).close();
  }));

test('[OPER-06] server start and portal migrate reject a database of a version before 1.0, and do not change it', () =>
  withPostgres(async ({ url }, open) => {
    const db = await open();
    await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(db);
    await sql`insert into kysely_migration values ('001-foundation', ''), ('010-keys', '')`.execute(db);
    const text = 'The database was made by a version before 1.0';
    await expect(openDatabaseStore({ url, pool: 1 }, silent)).rejects.toThrow(text);
    const env = { BASE_URL: '', DATABASE_URL: url };
    expect((await runInProcess(migrateCommand, ['--stopped'], env)).stderr).toContain(text);
    expect(await listAppliedMigrations(db)).toEqual(['001-foundation', '010-keys']);
  }));

test('[OPER-09] portal doctor compares the migrations of the database with those of its version', () =>
  withPostgres(async ({ url }, open) => {
    const db = await open();
    const said = async () => {
      const { stdout } = await runInProcess(doctor, [], { BASE_URL: '', DATABASE_URL: url });
      return stdout.split('\n').filter((line) => /migrat|newer|will run/.test(line));
    };
    await runMigrations(db, '900-adds');
    await sql`insert into kysely_migration values ('902-breaks', '')`.execute(db);
    expect(await said()).toEqual([expect.stringMatching(/^doubtful {2}database: 901-index will run/)]);
    await sql`delete from kysely_migration where name = '902-breaks'`.execute(db);
    expect(await said()).toEqual([expect.stringMatching(/^wrong {5}database: .* 902-breaks\. Stop them/)]);
    await sql`insert into kysely_migration values ('999-later', '')`.execute(db);
    expect(await said()).toEqual([expect.stringMatching(/^wrong {5}database: a newer version .*999-later/)]);
  }));

test('[OPER-05] restore migrates a backup of an older version to the current tables', () =>
  withPostgres((_, openOld) =>
    withPostgres(async (_new, openNew) => {
      const [old, target] = [await openOld(), await openNew()];
      await runMigrations(old, '901-index');
      await insertAnyRows(old, await describeTables(old));
      const now = systemClock.now();
      const read = generateBackupLines(old, now, await parseAuditKey(generateAuditKey()));
      const counts = await restoreBackup(target, read, { digest: null, settle: createRestoreCleanup(now) });
      expect(counts['citizens']).toBeGreaterThan(0);
      expect(await listAppliedMigrations(target)).toEqual(migrationNames);
      expect(await formatTables(target)).not.toContain('nickname');
    }),
  ));

test('[OPER-06 OPER-11] index migration does not block writers, runs once for two processes, and rebuilds an invalid index', () =>
  withPostgres(async ({ url }, open) => {
    await runMigrations(await open(), '900-adds');
    const [busy, writer] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([busy.connect(), writer.connect()]);
    const isValid = async () => {
      const { rows } = await writer.query('select indisvalid from pg_index where indexrelid = to_regclass($1)', [
        index,
      ]);
      return rows[0]?.indisvalid as boolean | undefined;
    };
    await busy.query('begin');
    await busy.query('lock table citizens in row exclusive mode'); // takes the lock that a transaction holds after its first write
    const both = [runMigrations(await open(), '901-index'), runMigrations(await open(), '901-index')];
    const waits = `select from pg_stat_activity where query ilike 'create index%' and wait_event_type = 'Lock' and datname = current_database()`;
    while ((await writer.query(waits)).rowCount === 0) await new Promise((wake) => setTimeout(wake, 20));
    await writer.query(`set lock_timeout = '5s'`);
    await writer.query('update citizens set phone = null'); // would block if a plain CREATE INDEX waited for the lock
    await busy.query('commit');
    expect((await Promise.all(both)).flat()).toContain('901-index');
    expect(await isValid()).toBe(true);
    await writer.query('update pg_index set indisvalid = false where indexrelid = to_regclass($1)', [index]);
    await buildIndexesConcurrently(await open(), { [index]: 'on citizens (nickname)' });
    expect(await isValid()).toBe(true);
    await Promise.all([busy.end(), writer.end()]);
  }));
