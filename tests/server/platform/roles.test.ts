import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command as doctor } from '../../../src/cli/doctor/doctor.ts';
import { command as migrate } from '../../../src/cli/database/migrate.ts';
import { sealAuditRows } from '../../../src/server/platform/audit/seal-audit.ts';
import { systemClock } from '../../../src/server/platform/base/clock.ts';
import { StartError } from '../../../src/server/platform/base/errors.ts';
import { generateBackupLines } from '../../../src/server/platform/database/backup.ts';
import { openDatabase, openDatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { purgeExpiredData } from '../../../src/server/app/purge-expired-data.ts';
import { openBrowser } from '../support/browser.ts';
import { startLiveServer, type LiveServer } from '../support/live-server.ts';
import { startSplitPostgres } from '../support/postgres.ts';
import { runInProcess } from '../support/run-command.ts';

let postgres: Awaited<ReturnType<typeof startSplitPostgres>>;
let server: LiveServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roles-'));
  postgres = await startSplitPostgres();
});
afterAll(async () => {
  await server.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('[SEC-09] [ASVS-13.2.2] database role of the server', () => {
  test('cannot migrate; the error refers to portal migrate with DATABASE_OWNER_URL', async () => {
    const start = openDatabaseStore({ url: postgres.url, pool: 1 }, pino({ level: 'silent' }));
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(/run npx portal migrate with DATABASE_OWNER_URL/);
    const env = { BASE_URL: '', DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl };
    expect((await runInProcess(migrate, [], env)).status).toBe(0);
    expect((await runInProcess(migrate, [], env)).stdout, 'second run').toBe('The tables are up to date.\n');
  });

  test('suffices for a sign-in, audit seals, the purge and a backup', async () => {
    server = await startLiveServer({ DATABASE_URL: postgres.url });
    await openBrowser(server.origin).signIn();
    const { store, auditKeys, commands, config } = server.parts;
    const [key] = auditKeys;
    expect(await sealAuditRows(store, key!, systemClock)).toBeGreaterThan(0);
    await purgeExpiredData({ store, commands, config }, new Date());
    const lines = generateBackupLines(store.db, new Date(), { kid: 'k', sign: () => 's' });
    let last = '';
    for await (const line of lines) last = line;
    expect(last).toContain('"end"');
  });

  test.each([
    'drop trigger audit_no_delete on audit',
    'alter table audit disable trigger all',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return old; end $$',
    'create table mine (x integer)',
    'drop table feedback',
    'truncate audit',
    'delete from audit',
    "update audit set action = ''",
    'delete from audit_seals',
    "insert into kysely_migration values ('x', '')",
  ])('is denied: %s', async (statement) => {
    await expect(sql.raw(statement).execute(server.parts.store.db)).rejects.toMatchObject({ code: '42501' });
  });

  test('is checked at a start with DATABASE_OWNER_URL, which warns if it can change tables', async () => {
    const start = async (url: string) => {
      const lines: string[] = [];
      const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
      await (await openDatabaseStore({ url, pool: 1, ownerUrl: postgres.ownerUrl }, log)).close();
      return lines;
    };
    expect(await start(postgres.url)).toEqual([]);
    const [owner, role] = [postgres.ownerUrl, postgres.url].map((url) => sql.ref(new URL(url).username));
    const admin = await openDatabase({ url: postgres.adminUrl, pool: 1 }, pino({ level: 'silent' }));
    await sql`grant ${owner} to ${role}`.execute(admin.db);
    expect(await start(postgres.url)).toEqual([expect.stringContaining('can change tables, in spite of')]);
    await sql`revoke ${owner} from ${role}`.execute(admin.db);
    await admin.close();
  });

  test('[ASVS-14.2.7] cannot erase an audit address before the retention period ends', async () => {
    const { db } = server.parts.store;
    await sql`insert into audit (at, action, address, request_id, details) values (now(), 'x', '1.2.3.4', '', '{}')`.execute(
      db,
    );
    await expect(sql`update audit set address = ''`.execute(db)).rejects.toThrow('append-only');
  });

  test('is checked by portal doctor, which warns if it can change tables', async () => {
    const about = async (url: string) =>
      (
        await runInProcess(doctor, [], {
          BASE_URL: 'https://identidad.example.uy',
          MALWARE_SCANNER: 'none',
          SMTP_URL: 'smtps://127.0.0.1:9',
          CARD_URL: '',
          DATA_DIR: folder,
          DATABASE_URL: url,
        })
      ).stdout
        .split('\n')
        .filter((line) => line.includes('can change tables'));
    expect(await about(postgres.url)).toEqual([]);
    expect(await about(postgres.ownerUrl)).toEqual([
      expect.stringMatching(/^doubtful {2}database: the role of DATABASE_URL/),
    ]);
  });
});
