import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { command as migrateCommand } from '../../../src/cli/database/migrate.ts';
import {
  compatibleMigrations,
  migrate,
  migrationNames,
  migrationsOf,
} from '../../../src/server/platform/database/migrate.ts';
import { openDatabase, openStore } from '../../../src/server/platform/database/open-store.ts';
import type { Database } from '../../../src/server/platform/database/schema.ts';
import { describeTables, insertAnyRows, textOfTables, type InsertedRow, type Tables } from '../support/any-rows.ts';
import { usualDatabase } from '../support/databases.ts';
import { startPostgres } from '../support/postgres.ts';
import { runHere } from '../support/run-command.ts';

const silent = pino({ level: 'silent' });

interface Step {
  readonly name: string;
  readonly before: Tables;
  readonly after: Tables;
  /** What an INSERT of the version before said after the migration; null: it went through. */
  readonly refused: string | null;
}

describe('migrations', () => {
  const steps: Step[] = [];
  const inserted: InsertedRow[] = [];
  let final = '';
  let fresh = '';
  let rows = new Map<string, readonly Record<string, unknown>[]>();

  beforeAll(async () => {
    await inDatabase(async (db) => {
      await migrate(db);
      fresh = await textOfTables(db);
    });
    await inDatabase(async (db) => {
      let before: Tables = { columns: [], keys: [] };
      for (const name of migrationNames) {
        await migrate(db, name);
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
      final = await textOfTables(db);
      rows = await allRows(db);
    });
  }, 240_000);

  test('[OPER-06] lead from each earlier version to the tables of a new database', () => {
    expect(steps).toHaveLength(migrationNames.length);
    expect(final).toBe(fresh);
  });

  test('[OPER-06] keep the rows of each earlier version', () => {
    expect(inserted.length).toBeGreaterThan(1_000);
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

  test.each(compatibleMigrations)('[OPER-06] %s leaves the version before working', (name) => {
    const step = steps.find((one) => one.name === name);
    if (!step) throw new Error(`${name} did not run`);
    expect(step.refused).toBe(null);
    const kept = new Map(step.after.columns.map((column) => [`${column.table}.${column.name}`, column.type]));
    expect(
      step.before.columns.filter(({ table, name: column, type }) => kept.get(`${table}.${column}`) !== type),
    ).toEqual([]);
    // ON CONFLICT names them; a partial one that becomes narrower refuses less
    const keys = step.before.keys.filter((key) => !key.includes(' WHERE '));
    expect(keys.filter((key) => !step.after.keys.includes(key))).toEqual([]);
  });
});

async function allRows(db: Kysely<Database>): Promise<Map<string, readonly Record<string, unknown>[]>> {
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

async function inDatabase(work: (db: Kysely<Database>) => Promise<void>): Promise<void> {
  const postgres = usualDatabase === 'postgresql' ? await startPostgres() : null;
  const { db, close } = await openDatabase(postgres ? { url: postgres.url, pool: 1 } : { folder: null }, silent);
  try {
    await work(db);
  } finally {
    await close();
    await postgres?.stop();
  }
}

test('[OPER-06] a start refuses a migration that servers of the version before cannot live with, and so does the command until they are stopped', async () => {
  const postgres = await startPostgres();
  const location = { url: postgres.url, pool: 1 };
  const { db, close } = await openDatabase(location, silent);
  await migrate(db, '033-extra-fields');
  const present = () => migrationsOf(db);
  const before = await present();
  await expect(openStore(location, silent)).rejects.toThrow(
    'Servers of the version before cannot live with 034-provider-keys: stop them, and run npx portal migrate --stopped.',
  );
  const env = { BASE_URL: '', DATABASE_URL: postgres.url };
  expect(await runHere(migrateCommand, [], env)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('034-provider-keys'),
  });
  expect(await present(), 'neither has run any').toEqual(before);
  expect((await runHere(migrateCommand, ['--stopped'], env)).stdout).toContain('034-provider-keys\n');
  await (await openStore(location, silent)).close();
  await close();
  await postgres.stop();
});
