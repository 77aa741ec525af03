import type { Migration } from 'kysely';
import type { IndexDefinitions } from '../index-migration.ts';
import { baselineMigration } from './001-baseline.ts';

/**
 * All migrations in order. Never change a published migration. `isCompatible`: servers of the previous version keep working after it. `indexes`: of tables
 * that may be large, built before the migration runs (see `buildIndexesConcurrently`).
 */
export const migrations: Readonly<
  Record<string, Migration & { readonly isCompatible?: boolean; readonly indexes?: IndexDefinitions }>
> = { '001-baseline': baselineMigration };
