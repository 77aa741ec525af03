import { sharedServer } from './postgres.ts';

export type DatabaseName = 'pglite' | 'postgresql';

/** Both supported databases, for tests of locks, drivers, migrations and notifications. */
export const bothDatabases: readonly DatabaseName[] = ['pglite', 'postgresql'];

/**
 * Database of all other tests. With a shared server it is PostgreSQL, because a database there takes half of the CPU time. Otherwise it is the
 * embedded one, so that a single test file runs without a server. Browser tests always use PostgreSQL.
 */
export const defaultDatabase: DatabaseName = process.env[sharedServer] === undefined ? 'pglite' : 'postgresql';
