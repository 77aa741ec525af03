import { Migrator, sql, type Kysely, type Migration } from 'kysely';
import { StartError } from '../base/errors.ts';
import { buildIndexesConcurrently } from './index-migration.ts';
import { migrations } from './migrations/migrations.ts';
import type { Database } from './schema.ts';

export const migrationNames: readonly string[] = Object.keys(migrations);

/** Migrations that keep servers of the previous version working, so that old and new replicas can run side by side. */
export const compatibleMigrations: readonly string[] = migrationNames.filter((name) => migrations[name]?.isCompatible);

/** Lists the pending migrations that break servers of the previous version. Stop those servers before migrating. */
export async function listBreakingMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  const present = await listAppliedMigrations(db);
  if (present.length === 0 || present.includes(firstUnreleasedMigration)) return [];
  return migrationNames.filter((name) => !present.includes(name) && !compatibleMigrations.includes(name));
}

/**
 * Runs the pending migrations, or those up to `to`, and returns their names. The migrator's advisory lock admits one replica at a time. Throws a
 * `StartError` if a newer version has changed the tables incompatibly.
 */
export async function runMigrations(db: Kysely<Database>, to?: string): Promise<readonly string[]> {
  const newer = await listNewerMigrations(db);
  await assertNotNewer(db);
  const known: Record<string, Migration> = {
    ...migrations,
    ...Object.fromEntries(newer.map((name) => [name, appliedMigration])),
  };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } });
  const ran: string[] = [];
  const run = async (target: string | undefined): Promise<void> => {
    const { error, results = [] } = await (target === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(target));
    if (error !== undefined) throw error;
    ran.push(...results.map(({ migrationName }) => migrationName));
  };
  for (const { indexes, before } of await listMissingIndexes(db, to)) {
    await run(before);
    await buildIndexesConcurrently(db, indexes);
  }
  await run(to);
  if (to === undefined && compatibleMigrations.length > 0)
    await db
      .insertInto('compatible_migrations')
      .values(compatibleMigrations.map((name) => ({ name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return ran;
}

/**
 * Throws a `StartError` if a migration is pending, or if a newer version has changed the tables incompatibly. For servers whose database role must
 * not change tables.
 */
export async function assertDatabaseMigrated(db: Kysely<Database>): Promise<void> {
  await assertNotNewer(db);
  const present = await listAppliedMigrations(db);
  if (migrationNames.some((name) => !present.includes(name)))
    throw new StartError(
      'The tables are not those of this version, and the role of DATABASE_URL may not change them: run npx portal migrate with DATABASE_OWNER_URL.',
    );
}

/**
 * Lists the indexes of pending migrations, each with the migration before it. Returns none for an empty database, where the migrations create the
 * indexes.
 */
async function listMissingIndexes(db: Kysely<Database>, to: string | undefined) {
  const present = await listAppliedMigrations(db);
  if (present.length === 0) return [];
  return Object.entries(migrations)
    .slice(0, to === undefined ? undefined : migrationNames.indexOf(to) + 1)
    .flatMap(([name, { indexes }], index) =>
      indexes && !present.includes(name) ? [{ indexes, before: migrationNames[index - 1] ?? name }] : [],
    );
}

export function listAppliedMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  return listNames(db, 'kysely_migration');
}

/** Placeholder for an applied migration of a newer version. Kysely's migrator fails if an applied migration is missing. */
const appliedMigration: Migration = {
  up: () => Promise.reject(new Error('a migration of a newer version was not expected to be missing')),
};

async function listNewerMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  return (await listAppliedMigrations(db)).filter((name) => !(name in migrations));
}

/** Lists the applied migrations of a newer version that are not declared compatible with this one. */
export async function listIncompatibleMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  const compatible = await listNames(db, 'compatible_migrations');
  return (await listNewerMigrations(db)).filter((name) => !compatible.includes(name));
}

async function listNames(db: Kysely<Database>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(db);
  if (!rows[0]?.exists) return [];
  const found = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return found.rows.map(({ name }) => name);
}

/** First migration of the versions before 1.0, whose tables this version cannot read. */
const firstUnreleasedMigration = '001-foundation';

async function assertNotNewer(db: Kysely<Database>): Promise<void> {
  const names = await listIncompatibleMigrations(db);
  if (names.includes(firstUnreleasedMigration))
    throw new StartError(
      'The database was made by a version before 1.0, whose tables this version does not read: use an empty database.',
    );
  if (names.length > 0)
    throw new StartError(
      `The database is newer than this version, which cannot run beside ${names.join(', ')}: start the version that brought it up to date, or a later one.`,
    );
}
