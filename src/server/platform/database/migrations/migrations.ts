import type { Migration } from 'kysely';
import type { IndexDefinitions } from '../index-migration.ts';
import { baselineMigration } from './001-baseline.ts';

interface PortalMigration extends Migration {
  /** Whether servers of the previous version keep working after the migration. */
  readonly isCompatible?: boolean;
  /** Indexes of tables that may be large. They are built before the migration runs (see `buildIndexes`). */
  readonly indexes?: IndexDefinitions;
}

/** All migrations in order. Never change a published migration. */
export const migrations: Readonly<Record<string, PortalMigration>> = { '001-baseline': baselineMigration };
