import { sharedServer } from './postgres.ts';

export type DatabaseName = 'pglite' | 'postgresql';

/** Both supported databases, for tests of locks, drivers, migrations and notifications. */
export const bothDatabases: readonly DatabaseName[] = ['pglite', 'postgresql'];

/**
 * Database of tests that need only one. With a shared server it is PostgreSQL, which takes half of the CPU time of
 * embedded databases. Otherwise it is the embedded database, so that a single test file needs no server. Browser tests
 * always use PostgreSQL.
 */
export const defaultDatabase: DatabaseName = process.env[sharedServer] === undefined ? 'pglite' : 'postgresql';
