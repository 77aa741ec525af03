import { sharedServer, startServer } from './postgres.ts';

/** Global setup: starts one PostgreSQL server for the entire test run. Each test creates a database on it. */
export default async function startSharedPostgres(): Promise<() => Promise<void>> {
  const { url, stop } = await startServer();
  process.env[sharedServer] = url; // test processes inherit this environment
  delete process.env['WHOLE_RUN']; // child processes of tests must not count as complete runs
  delete process.env['SHARED_POSTGRES'];
  return stop;
}
