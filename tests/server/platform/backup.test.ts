import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command as account } from '../../../src/cli/database/account.ts';
import { command as audit } from '../../../src/cli/database/audit.ts';
import { command as backup } from '../../../src/cli/database/backup.ts';
import { command as move } from '../../../src/cli/database/move.ts';
import { command as restore } from '../../../src/cli/database/restore.ts';
import { sealAuditRows } from '../../../src/server/platform/audit/seal-audit.ts';
import { systemClock } from '../../../src/server/platform/base/clock.ts';
import { createRestoreCleanup, purgeExpiredData } from '../../../src/server/app/purge-expired-data.ts';
import { generateAuditKey, parseAuditKey, type AuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import {
  generateBackupLines,
  formatSignedBackupText,
  listBackupTables,
} from '../../../src/server/platform/database/backup.ts';
import {
  openDatabase,
  openDatabaseStore,
  type DatabaseLocation,
} from '../../../src/server/platform/database/open-store.ts';
import { restoreBackup } from '../../../src/server/platform/database/restore-backup.ts';
import { verifyBackup } from '../../../src/server/platform/database/restore-backup.ts';
import { describeTables, insertAnyRows } from '../support/any-rows.ts';
import { startLiveServer } from '../support/live-server.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { runInProcess } from '../support/run-command.ts';
import { placeDatabase } from '../support/tables.ts';

const silent = pino({ level: 'silent' });
const strange = 'Ñandú \u2028 "x" \\ \r\n\t 😀';

/** Creates a data folder whose embedded database a server has used, with its keys. */
async function createUsedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-backup-'));
  await placeDatabase(folder);
  const server = await startLiveServer({ DATA_DIR: folder });
  const { store, auditKeys, clock } = server.parts;
  await sql`update citizens set first_name = ${strange} where number = '45123784'`.execute(store.db);
  await sql`insert into outbox (recipient, subject, text, html, created_at, due_at) values ('a@example.com', ${strange}, '', '', now(), now())`.execute(
    store.db,
  );
  await sql`delete from outbox`.execute(store.db);
  await server.parts.commands.run(
    { by: { citizenId: null }, address: '', userAgent: strange, language: 'es', requestId: 'r' },
    ({ audit }) => audit('test', null, { note: strange }),
  );
  await sealAuditRows(store, auditKeys[0], clock);
  await server.close();
  return folder;
}

/**
 * Returns all rows of all tables except the list of backups, as PostgreSQL JSON, and the last value of each sequence.
 * The value is `null` if the sequence is unused.
 */
async function readDatabaseState(location: DatabaseLocation) {
  const { db, close } = await openDatabase(location, silent);
  const all = await db.transaction().execute(async (tx) => {
    await sql`set local time zone 'UTC'`.execute(tx);
    const found: [string, readonly string[]][] = [];
    for (const table of (await listBackupTables(tx)).filter((name) => name !== 'backups')) {
      const { rows } = await sql<{ json: string }>`
        select to_jsonb(t)::text as json from ${sql.table(table)} t`.execute(tx);
      found.push([table, rows.map(({ json }) => json).sort()]);
    }
    return found;
  });
  const { rows } = await sql<{ name: string; last: number | null }>`
    select sequencename::text as name, last_value as last from pg_sequences where schemaname = 'public'`.execute(db);
  await close();
  const content: Readonly<Record<string, readonly string[]>> = Object.fromEntries(all);
  return { content, numbers: Object.fromEntries(rows.map(({ name, last }) => [name, last])) };
}

let folder = '';
let other = '';
let file = '';
let postgres: TestPostgres;
let state: Awaited<ReturnType<typeof readDatabaseState>>;
let written: Awaited<ReturnType<typeof runInProcess>>;
beforeAll(async () => {
  [folder, other, postgres] = await Promise.all([
    createUsedFolder(),
    mkdtemp(join(tmpdir(), 'portal-other-')),
    startPostgres(),
  ]);
  file = join(other, 'embedded.backup');
  state = await readDatabaseState({ folder });
  written = await runInProcess(backup, [file], embedded());
}, 240_000);
afterAll(async () => {
  await postgres.stop();
  await Promise.all([folder, other].map((name) => rm(name, { recursive: true, force: true })));
});

const embedded = () => ({ BASE_URL: '', DATABASE_URL: '', DATA_DIR: folder });
const onPostgres = () => ({ BASE_URL: '', DATABASE_URL: postgres.url, DATA_DIR: folder });

describe('[OPER-06] portal backup, restore and move', { timeout: 240_000 }, () => {
  test('copy all data from the embedded database to PostgreSQL and back without a difference', async () => {
    expect(written).toMatchObject({ status: 0, stdout: expect.stringContaining('The keys are not in it.') });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(other)).toEqual(['embedded.backup']);
    expect((await runInProcess(backup, [file], embedded())).stderr).toContain('cannot be written: EEXIST');

    const restored = await runInProcess(restore, [file], onPostgres());
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    expect(restored.stdout).toMatch(/^citizens +4 of the backup, 4 in the database$/m);
    expect(restored.stdout).toContain('The audit log is whole.');
    const { content, numbers } = state;
    expect(await readDatabaseState({ url: postgres.url, pool: 1 })).toEqual(state);
    expect(numbers).toMatchObject({ audit_seq_seq: 1, outbox_id_seq: 1, contact_messages_id_seq: null });
    expect(JSON.stringify(content)).toContain(JSON.stringify(JSON.stringify(strange)).slice(3, -3));

    const again = await runInProcess(restore, [file], onPostgres());
    expect(again).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^The database is not empty: \w+ has rows/),
    });

    const back = join(other, 'postgres.backup');
    await runInProcess(backup, [back], onPostgres());
    const third = await mkdtemp(join(tmpdir(), 'portal-third-'));
    await placeDatabase(third); // the target already has tables here; otherwise `restore` creates them
    const home = { ...embedded(), DATA_DIR: third, KEYS_DIR: join(folder, 'keys') };
    expect(await runInProcess(restore, [back], home)).toMatchObject({ status: 0, stderr: '' });
    expect((await readDatabaseState({ folder: third })).content).toEqual(content);
    await rm(third, { recursive: true });
  });

  test('encrypt a backup for two age recipients, and restore it with the identity of either', async () => {
    const [one, two, stranger] = await Promise.all([generateIdentity(), generateIdentity(), generateIdentity()]);
    const recipients = await Promise.all([one, two].map(identityToRecipient));
    const encrypted = join(other, 'encrypted.backup');
    const words = [encrypted, ...recipients.flatMap((recipient) => ['--recipient', recipient])];
    const ended = await runInProcess(backup, words, embedded());
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).not.toContain('encrypt it');
    const bytes = await readFile(encrypted);
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(await runInProcess(backup, [join(other, 'x'), '--recipient', 'age1x'], embedded())).toMatchObject({
      status: 2,
    });

    const target = await startPostgres({ tables: true });
    const env = { ...onPostgres(), DATABASE_URL: target.url };
    const identity = join(other, 'identity');
    const keepIdentity = (secret: string) => writeFile(identity, `# created: 2026-11-28\n${secret}\n`);
    expect(await runInProcess(restore, [encrypted], env)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--identity FILE'),
    });
    await keepIdentity(stranger);
    const refused = { status: 1, stderr: expect.stringContaining('cannot be read') };
    expect(await runInProcess(restore, [encrypted, '--identity', identity], env)).toMatchObject(refused);
    await keepIdentity(two);
    const cut = join(other, 'encrypted-cut.backup');
    await writeFile(cut, bytes.subarray(0, bytes.length - 20));
    expect(await runInProcess(restore, [cut, '--identity', identity], env)).toMatchObject(refused);
    expect(Object.values((await readDatabaseState({ url: target.url, pool: 1 })).content).flat()).toEqual([]);
    expect(await runInProcess(restore, [encrypted, '--identity', identity], env)).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect((await readDatabaseState({ url: target.url, pool: 1 })).content).toEqual(state.content);
    const { db, close } = await openDatabase({ folder }, silent);
    const last = await db.selectFrom('backups').selectAll().orderBy('at', 'desc').executeTakeFirst();
    await close();
    expect(last?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    await target.stop();
  });

  test('restore sequences and the append-only audit log, so that the database is ready for use', async () => {
    const store = await openDatabaseStore({ url: postgres.url, pool: 1 }, silent);
    const { rows } = await sql<{ id: number }>`
      insert into outbox (recipient, subject, text, html, created_at, due_at) values ('a@example.com', '', '', '', now(), now()) returning id`.execute(
      store.db,
    );
    expect(rows).toEqual([{ id: expect.any(Number) }]);
    expect(rows[0]?.id, 'ids of deleted mails are not reused').toBeGreaterThan(1);
    await expect(sql`delete from audit`.execute(store.db)).rejects.toThrow('append-only');
    await store.close();
  });

  test('copy the embedded database to PostgreSQL with portal move, and verify the audit log there', async () => {
    const target = await startPostgres();
    const env = { ...onPostgres(), DATABASE_URL: target.url };
    expect((await runInProcess(move, [], embedded())).stderr).toContain('Set DATABASE_URL');
    const moved = await runInProcess(move, [], env);
    expect(moved).toMatchObject({ status: 0, stderr: '' });
    expect(moved.stdout).toMatch(/^citizens +4 of the backup, 4 in the database$/m);
    expect(moved.stdout).toContain('The audit log is whole.');
    expect((await readDatabaseState({ url: target.url, pool: 1 })).content).toEqual(state.content);
    const server = await startLiveServer({ DATABASE_URL: target.url, KEYS_DIR: join(folder, 'keys') });
    await server.close();
    await target.stop();
  });
});

describe('[OPER-06 SEC-12] backup file and its restore', { timeout: 240_000 }, () => {
  let lines: readonly string[] = [];
  let empty: TestPostgres;
  beforeAll(async () => {
    lines = gunzipSync(await readFile(file))
      .toString()
      .split('\n')
      .slice(0, -1);
    empty = await startPostgres({ tables: true });
  });
  afterAll(() => empty.stop());

  let key: AuditKey;
  let stranger: AuditKey;
  beforeAll(async () => {
    key = await parseAuditKey(await readFile(join(folder, 'keys', 'audit.pem'), 'utf8'));
    stranger = await parseAuditKey(generateAuditKey());
  });
  const endOf = (some: readonly string[]) =>
    JSON.parse(some.at(-1) ?? '') as ['end', Record<string, number>, string, string, string];
  const digestOf = (some: readonly string[]) =>
    createHash('sha256')
      .update(some.map((line) => `${line}\n`).join(''))
      .digest('hex');
  /** Adds an end line that is signed with the key `by`. With `stale`, its digest is that of the complete backup. */
  const signed = (some: readonly string[], stale = false, by = key) => {
    const [, counts, whole] = endOf(lines);
    const sha256 = stale ? whole : digestOf(some);
    return [...some, JSON.stringify(['end', counts, sha256, by.kid, by.sign(formatSignedBackupText(counts, sha256))])];
  };
  /** Adds an end line with the correct digest of the lines in `some`, but with the signature of the complete backup. */
  const withOtherEnd = (some: readonly string[]) => {
    const [, counts, , kid, signature] = endOf(lines);
    return [...some, JSON.stringify(['end', counts, digestOf(some), kid, signature])];
  };
  const rows = () => lines.slice(1, -1);
  const exchanged = () => {
    const at = rowOfCitizen();
    return [...lines.slice(0, at), lines[at + 1] ?? '', lines[at] ?? '', ...lines.slice(at + 2, -1)];
  };
  const granted = () => {
    const at = rowOfCitizen();
    const row = JSON.parse(lines[at] ?? '') as Record<string, unknown>;
    return lines.with(at, JSON.stringify({ ...row, permissions: '{"audit":["read"]}' })).slice(0, -1);
  };
  const rowOfCitizen = () => lines.findIndex((line) => line.includes('"45123784"'));
  test.each([
    [
      'a changed row',
      () => lines.with(rowOfCitizen(), (lines[rowOfCitizen()] ?? '').replace('45123784', '45123785')),
      'checksum',
    ],
    ['a missing row', () => lines.toSpliced(rowOfCitizen(), 1), 'checksum'],
    ['a duplicate row', () => lines.toSpliced(rowOfCitizen(), 0, lines[rowOfCitizen()] ?? ''), 'checksum'],
    ['no end line', () => lines.slice(0, -1), 'ends too early'],
    [
      'an unknown format',
      () => signed([(lines[0] ?? '').replace('"format":2', '"format":3'), ...rows()]),
      'has format 3',
    ],
    [
      'a migration of a newer version',
      () => signed([(lines[0] ?? '').replace('"]}', '","999-later"]}'), ...rows()]),
      '999-later',
    ],
    ['an unknown table', () => signed(lines.with(1, '["table","strangers"]').slice(0, -1)), 'no migration made'],
    ['no content', () => ['{}'], 'ends too early'],
    ['two rows swapped', () => signed(exchanged(), true), 'checksum'],
    [
      'added permissions and a recomputed checksum',
      () => withOtherEnd(granted()),
      'signature of the backup does not hold',
    ],
    [
      'changed row counts',
      () => lines.with(-1, (lines.at(-1) ?? '').replace('"citizens":4', '"citizens":5')),
      'signature of the backup does not hold',
    ],
    ['no signature', () => lines.with(-1, JSON.stringify(endOf(lines).slice(0, 3))), 'is not signed'],
    ['the signature of another key', () => signed(granted(), false, stranger), 'none of this server'],
    [
      'the id of the right key on the signature of another key',
      () => signed(granted(), false, { ...stranger, kid: key.kid }),
      'signature of the backup does not hold',
    ],
    [
      'a seal of an older audit key that this server lacks',
      () => signed(lines.map((line) => line.replace(`"key": "${key.kid}"`, `"key": "${stranger.kid}"`)).slice(0, -1)),
      'sealed by keys that this server lacks',
    ],
    ['a row after the end line', () => [...lines, lines[rowOfCitizen()] ?? ''], 'goes on after its end'],
    ['a second end line', () => [...lines, lines.at(-1) ?? ''], 'goes on after its end'],
  ])('rejects a backup with %s, and inserts no row', async (_, change, said) => {
    const damaged = join(other, 'damaged.backup');
    await writeFile(
      damaged,
      gzipSync(
        change()
          .map((line) => `${line}\n`)
          .join(''),
      ),
    );
    const env = { ...embedded(), DATABASE_URL: empty.url };
    expect(await runInProcess(restore, [damaged], env)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(said),
    });
    const { content } = await readDatabaseState({ url: empty.url, pool: 1 });
    expect(Object.values(content).flat()).toEqual([]);
  });

  test('rejects a truncated backup, and restores the complete one afterwards', async () => {
    const cut = join(other, 'cut.backup');
    const whole = await readFile(file);
    await writeFile(cut, whole.subarray(0, whole.length - 100));
    const env = { ...embedded(), DATABASE_URL: empty.url };
    expect(await runInProcess(restore, [cut], env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be read'),
    });
    expect((await runInProcess(restore, [join(other, 'none')], env)).stderr).toContain('ENOENT');
    expect(await runInProcess(restore, [file], env)).toMatchObject({ status: 0 });
  });

  test('rejects a backup of another audit key before it inserts a row; --unverified restores it with a warning', async () => {
    const target = await startPostgres({ tables: true });
    const keysDir = await mkdtemp(join(tmpdir(), 'portal-keys-'));
    await writeFile(join(keysDir, 'audit.pem'), generateAuditKey());
    const env = { ...embedded(), DATABASE_URL: target.url, KEYS_DIR: keysDir };
    const refused = await runInProcess(restore, [file], env);
    expect(refused).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(`signed by the audit key ${key.kid}`),
    });
    expect(refused.stderr).toContain('--unverified');
    expect(Object.values((await readDatabaseState({ url: target.url, pool: 1 })).content).flat()).toEqual([]);

    const restored = await runInProcess(restore, [file, '--unverified'], env);
    expect(restored).toMatchObject({ status: 1, stderr: expect.stringContaining('IS NOT VERIFIED') });
    expect(restored.stdout).toMatch(/^citizens +4 of the backup, 4 in the database$/m);
    expect(restored.stdout).toContain('The audit log is broken');
    await target.stop();
    await rm(keysDir, { recursive: true });
  });

  test('rejects a backup in the unsigned format 1, unless --unverified is given', async () => {
    const target = await startPostgres({ tables: true });
    const old = join(other, 'old.backup');
    const unsigned = [(lines[0] ?? '').replace('"format":2', '"format":1'), ...rows()];
    const [, counts] = endOf(lines);
    const text = [...unsigned, JSON.stringify(['end', counts, digestOf(unsigned)])];
    await writeFile(old, gzipSync(text.map((line) => `${line}\n`).join('')));
    const env = { ...embedded(), DATABASE_URL: target.url };
    expect(await runInProcess(restore, [old], env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is not signed'),
    });
    expect(await runInProcess(restore, [old, '--unverified'], env)).toMatchObject({ status: 0 });
    await target.stop();
  });

  test('rejects a backup that was replaced after its verification, and inserts no row', async () => {
    const target = await startPostgres({ tables: true });
    const { db, close } = await openDatabase({ url: target.url, pool: 1 }, silent);
    const digest = await verifyBackup(Readable.from(lines), [key]);
    await expect(restoreBackup(db, Readable.from(signed(granted(), false, stranger)), { digest })).rejects.toThrow(
      'checksum',
    );
    expect(await sql`select from citizens`.execute(db)).toMatchObject({ rows: [] });
    await close();
    await target.stop();
  });

  test('ends all sessions, sign-ins, links, codes, tokens and pending mails, and restores credentials and consents', async () => {
    const source = await startPostgres({ tables: true });
    const target = await startPostgres({ tables: true });
    const from = await openDatabase({ url: source.url, pool: 1 }, silent);
    const to = await openDatabase({ url: target.url, pool: 1 }, silent);
    await insertAnyRows(from.db, await describeTables(from.db));
    await sql`update broker_sessions set revoked_at = null`.execute(from.db);
    await sql`update link_tokens set purpose = 'reset'`.execute(from.db);
    await sql`insert into link_tokens select hash || 'x', 'support-call', citizen_id, subject, created_at, expires_at, used_at from link_tokens`.execute(
      from.db,
    );
    await sql`update outbox set sent_at = now()`.execute(from.db);
    await sql`insert into outbox (recipient, subject, text, html, created_at, due_at) values ('waits@example.com', '', '', '', now(), now())`.execute(
      from.db,
    );
    await restoreBackup(to.db, generateBackupLines(from.db, systemClock.now(), key), {
      digest: null,
      settle: createRestoreCleanup(systemClock.now()),
    });
    const counted = async (table: string, where = 'true') =>
      Number(
        (await sql<{ count: number }>`select count(*) from ${sql.table(table)} where ${sql.raw(where)}`.execute(to.db))
          .rows[0]?.count,
      );
    for (const table of [
      'challenges',
      'mailed_codes',
      'email_changes',
      'passkey_challenges',
      'oidc_records',
      'saml_requests',
      'saml_logouts',
      'provider_sign_ins',
      'card_tickets',
      'wallet_requests',
      'signature_requests',
    ])
      expect(await counted(table), table).toBe(0);
    expect(await counted('broker_sessions', 'revoked_at is null')).toBe(0);
    expect(await counted('broker_sessions')).toBe(1);
    expect(await sql`select purpose from link_tokens`.execute(to.db)).toMatchObject({
      rows: [{ purpose: 'support-call' }],
    });
    expect(await counted('outbox', 'sent_at is null')).toBe(0);
    expect(await counted('outbox')).toBe(1);
    for (const table of ['credentials', 'passkeys', 'second_factors', 'recovery_codes', 'consents', 'known_devices'])
      expect(await counted(table), `${table} stay`).toBe(1);
    await Promise.all([from.close(), to.close()]);
    await Promise.all([source.stop(), target.stop()]);
  });

  test('reads a consistent snapshot while servers write', async () => {
    const own = await startPostgres({ tables: true });
    const { db, close } = await openDatabase({ url: own.url, pool: 2 }, silent);
    const read = generateBackupLines(db, systemClock.now(), key);
    await read.next();
    await sql`insert into countries (code, name, position) values ('zz', 'later', 999)`.execute(db);
    const rest: string[] = [];
    for await (const line of read) rest.push(line);
    expect(rest.some((line) => line.includes('"later"'))).toBe(false);
    await close();
    await own.stop();
  });

  test('[SEG+CIERRE] brings back an account deleted later; account delete-again deletes it with an unchanged audit export', async () => {
    const live = await startLiveServer({ DATA_DIR: folder });
    const { store, clock } = live.parts;
    await sql`update citizens set closing_at = ${systemClock.now()} where number = '45123784'`.execute(store.db);
    await purgeExpiredData(live.parts, new Date(systemClock.now().getTime() + 1000));
    await sealAuditRows(store, live.parts.auditKeys[0], clock);
    await live.close();
    const { stdout } = await runInProcess(audit, ['export'], embedded());
    const exported = join(other, 'audit.jsonl');
    const target = await startPostgres({ tables: true });
    const env = { ...onPostgres(), DATABASE_URL: target.url };
    await runInProcess(restore, [file], env);
    const left = async () => (await readDatabaseState({ url: target.url, pool: 1 })).content['citizens']?.length;
    expect(await left()).toBe(4);

    await writeFile(exported, stdout.replace('"account-deleted"', '"account-delated"'));
    const refused = await runInProcess(account, ['delete-again', exported], env);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('Nothing was deleted') });
    expect(await left()).toBe(4);

    await writeFile(exported, stdout);
    const deleted = await runInProcess(account, ['delete-again', exported], env);
    expect(deleted).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Deleted again: \S+\n.* 1 deleted/) });
    expect(await left()).toBe(3);
    expect((await runInProcess(account, ['delete-again', exported], env)).stdout).not.toContain('Deleted again');
    await target.stop();
  });
});
