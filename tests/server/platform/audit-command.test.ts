import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { command } from '../../../src/cli/database/audit.ts';
import { AuditWriter } from '../../../src/server/platform/audit/audit-writer.ts';
import { sealAuditRows } from '../../../src/server/platform/audit/seal-audit.ts';
import { systemClock } from '../../../src/server/platform/base/clock.ts';
import { loadServerKeys } from '../../../src/server/platform/keys/load-server-keys.ts';
import { openDatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { runInProcess } from '../support/run-command.ts';
import { createOrigin } from '../support/origin.ts';
import { startPostgres } from '../support/postgres.ts';
import { createKeyFilesConfig, placeSigningKey } from '../support/signing-key.ts';

test('[OPER-02] portal audit verifies the log, exports it, proves one row, and checks exports and proofs without the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-audit-'));
  const postgres = await startPostgres({ tables: true });
  const store = await openDatabaseStore({ url: postgres.url, pool: 1 }, pino({ level: 'silent' }));
  const run = (...parameters: string[]) =>
    runInProcess(command, parameters, { BASE_URL: '', DATABASE_URL: postgres.url, DATA_DIR: folder });
  const save = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  expect(await run('verify')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no key of the audit log'),
  });
  await placeSigningKey(folder);
  const {
    audit: [key],
  } = await loadServerKeys(createKeyFilesConfig(join(folder, 'keys')));
  expect(await run('verify')).toMatchObject({ status: 0, stdout: 'The audit log is whole.\nNothing is sealed yet.\n' });
  const writer = new AuditWriter(key);
  await writer.transaction(store, async (_tx, append) => {
    for (const action of ['one', 'two', 'three'])
      await append(createOrigin(), { at: new Date(), action, citizenId: null });
  });

  expect((await run('verify')).stdout).toMatch(
    /^The audit log is whole\.\nNothing is sealed yet\.\nNot sealed yet: 3 rows since 20/,
  );
  expect((await run('export')).stdout.split('\n')).toHaveLength(2);
  await sealAuditRows(store, key, systemClock);

  const exported = await save('export', (await run('export')).stdout);
  const [, kid = ''] = /^Signed by (\S+):/m.exec((await run('check', exported)).stdout) ?? [];
  expect(await run('check', exported, kid)).toMatchObject({ status: 0, stdout: 'The audit log is whole.\n' });
  expect(await run('check', exported, 'another')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('Seal 1 was not signed'),
  });
  const proof = await save('proof', (await run('prove', '2')).stdout);
  expect(await run('check', proof, kid)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^The proof holds: \{.*"action":"two".*\}\nis under seal 1 of /),
  });
  const more = (await run('prove', '2')).stdout.replace('"action":"two"', '"action":"two","forged":"yes"');
  const shown = await run('check', await save('more', more), kid);
  expect(shown, 'other columns of the row are not proven').toMatchObject({ status: 0 });
  expect(shown.stdout).not.toContain('forged');
  expect(await run('prove', '9')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no row 9, or it is not sealed yet.'),
  });

  const whole = await run('verify');
  expect(whole).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^The audit log is whole\.\nIts last seal: 1 [0-9a-f]{64}\n$/),
  });
  const [end = ''] = /1 [0-9a-f]{64}/.exec(whole.stdout) ?? [];
  await sql`alter table audit disable trigger user`.execute(store.db);
  await sql`update audit set address = 'forged' where seq = 2`.execute(store.db);
  expect(await run('verify')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('Row 2 is not as it was when it was sealed.\nThe audit log is broken: one fault.'),
  });
  await sql`delete from audit`.execute(store.db);
  await sql`alter table audit_seals disable trigger user`.execute(store.db);
  await sql`delete from audit_seals`.execute(store.db);
  expect((await run('verify')).status).toBe(0);
  expect(await run('verify', ...end.split(' '))).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('Seal 1 is not the one that was kept'),
  });

  expect(await run('verify', '3')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage:') });
  expect(await run('check', await save('none', 'no JSON'))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('cannot be read as an export'),
  });
  expect(await run('check')).toMatchObject({ status: 2, stderr: expect.stringContaining('Missing argument: FILE.') });
  await store.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

test('portal audit warns once that it creates an embedded database in an empty DATA_DIR', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'portal-none-'));
  const env = { BASE_URL: '', DATABASE_URL: '', DATA_DIR: join(parent, 'data') };
  expect(await runInProcess(command, ['verify'], env)).toMatchObject({
    stderr: expect.stringContaining(`There was nothing in DATA_DIR (${env.DATA_DIR}): a new database is made there.\n`),
  });
  expect((await runInProcess(command, ['verify'], env)).stderr).not.toContain('new database');
  await rm(parent, { recursive: true });
});
