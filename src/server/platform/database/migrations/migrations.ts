import type { Migration } from 'kysely';
import type { Indexes } from '../index-migration.ts';
import { baseline } from './001-baseline.ts';

/** A change of the tables. */
export interface PortalMigration extends Migration {
  /** Whether servers of the version before go on working after it: it only adds what they do not read. */
  readonly isCompatible?: boolean;
  /** Indexes of tables that may be large. They are built before the migration runs; see `buildIndexes`. */
  readonly indexes?: Indexes;
}

/** Every migration in order. A published one is never changed. */
export const migrations: Readonly<Record<string, PortalMigration>> = { '001-baseline': baseline };
