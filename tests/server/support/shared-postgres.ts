import { sharedServer, startServer } from './postgres.ts';

/** One PostgreSQL for a whole test run, on which every test has a database of its own. */
export default async function startSharedPostgres(): Promise<() => Promise<void>> {
  const { url, stop } = await startServer();
  process.env[sharedServer] = url; // the processes of tests have the environment of this one
  delete process.env['WHOLE_RUN']; // so that processes started by tests are not whole runs
  delete process.env['SHARED_POSTGRES'];
  return stop;
}
