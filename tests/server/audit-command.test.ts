import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { appendAudit } from '../../src/server/store/audit.ts';
import { openStore } from '../../src/server/store/open-store.ts';
import { startPostgres } from './support/postgres.ts';

test('npm run audit -- verify says whether the log is whole, and where it is broken', async () => {
  const postgres = await startPostgres();
  const store = await openStore({ url: postgres.url, pool: 1 }, pino({ level: 'silent' }));
  const run = (...parameters: string[]) => spawnSync(process.execPath, ['--import', 'tsx', 'src/cli/audit.ts', ...parameters], {
    cwd: resolve(import.meta.dirname, '../..'), encoding: 'utf8', env: { ...process.env, BASE_URL: '', DATABASE_URL: postgres.url },
  });
  expect(run('verify')).toMatchObject({ status: 0, stdout: 'The audit log is whole. Its end: no row yet\n' });
  await store.transaction(async (tx) => {
    for (const action of ['one', 'two', 'three']) await appendAudit(tx, { at: new Date(), action, citizenId: null, address: '', requestId: '' });
  });
  const whole = run('verify');
  expect(whole).toMatchObject({ status: 0, stdout: expect.stringMatching(/^The audit log is whole\. Its end: 3 [0-9a-f]{64}\n$/) });
  const [end = ''] = /3 [0-9a-f]{64}/.exec(whole.stdout) ?? [];
  await sql`alter table audit disable trigger user`.execute(store.db);
  await sql`delete from audit where seq = 3`.execute(store.db);
  expect(run('verify').status).toBe(0);
  expect(run('verify', ...end.split(' '))).toMatchObject({ status: 1, stdout: 'The audit log is broken at row 3.\n' });
  await sql`update audit set address = 'forged' where seq = 2`.execute(store.db);
  expect(run('verify')).toMatchObject({ status: 1, stdout: 'The audit log is broken at row 2.\n' });
  expect(run('verify', '3')).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage:') });
  await store.close();
  await postgres.stop();
}, 120_000);
