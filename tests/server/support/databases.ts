import { sharedServer } from './postgres.ts';

export type DatabaseName = 'pglite' | 'postgresql';

/** The databases that the store must serve alike: for tests of locks, drivers, migrations and notifications. */
export const bothDatabases: readonly DatabaseName[] = ['pglite', 'postgresql'];

/**
 * The database of every other test: PostgreSQL where the run has a server of it, since a database there costs half of the CPU time; else the
 * embedded one, since a test by itself needs no server then. Browser tests always have one.
 */
export const usualDatabase: DatabaseName = process.env[sharedServer] === undefined ? 'pglite' : 'postgresql';
