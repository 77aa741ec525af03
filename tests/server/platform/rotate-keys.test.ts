import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../../src/cli/database/keys.ts';
import type { HandlerContext } from '../../../src/server/features/handler-context.ts';
import { databaseTableDescriptions } from '../../../src/server/app/server-modules.ts';
import { addSeconds } from '../../../src/server/platform/base/clock.ts';
import { secondsPerDay, secondsPerHour } from '../../../src/server/platform/base/fixed-periods.ts';
import { StartError } from '../../../src/server/platform/base/errors.ts';
import { generateEncryptionKey } from '../../../src/server/platform/keys/encryption-keys.ts';
import { keyPolicies } from '../../../src/server/platform/keys/key-inventory.ts';
import { keyFileNames, loadServerKeys } from '../../../src/server/platform/keys/load-server-keys.ts';
import { countValuesEncryptedWithKey } from '../../../src/server/platform/modules/re-encrypt.ts';
import { buildOidcVaultPurpose } from '../../../src/server/trust/sessions/index.ts';
import { runInProcess } from '../support/run-command.ts';
import { openQuietParts, openTestServer, type TestServer } from '../support/test-server.ts';

const model = 'Grant';
/** Number of rows, enough for several batches. */
const count = 450;

describe('encryption keys on PostgreSQL', () => {
  let server: TestServer;
  let other: HandlerContext;
  let file: string;
  const opened: HandlerContext[] = [];

  const open = async (): Promise<HandlerContext> => {
    const parts = await openQuietParts(server.parts);
    opened.push(parts);
    return parts;
  };
  beforeAll(async () => {
    server = await openTestServer({ database: 'postgresql' });
    server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000); // sets the clock of the server to the system time, which commands use
    other = await open();
    file = join(server.parts.config.keys.dir, 'encryption.key');
  }, 120_000);
  afterAll(async () => {
    await Promise.all(opened.map(({ store }) => store.close()));
    await server.close();
  });

  // Runs a subcommand. `--` precedes the arguments, because a key id may begin with '-'.
  const keys = (...words: readonly string[]) => {
    const { databaseUrl, dataDir } = server.parts.config;
    return runInProcess(command, words, { BASE_URL: '', DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir });
  };
  const reread = () => Promise.all([server.parts, ...opened].map((parts) => parts.rereadKeys()));
  const add = async ({ vault, store, clock }: HandlerContext, id: string) =>
    store.db
      .insertInto('oidc_records')
      .values({
        model,
        id,
        payload: vault.encrypt(buildOidcVaultPurpose(model), id),
        grant_id: null,
        uid: null,
        account_id: null,
        client_id: null,
        expires_at: addSeconds(clock.now(), secondsPerDay),
        consumed_at: null,
      })
      .execute();
  /** Returns the number of rows that this server can decrypt. */
  const read = async ({ vault, store }: HandlerContext) => {
    const rows = await store.db
      .selectFrom('oidc_records')
      .select(['id', 'payload'])
      .where('model', '=', model)
      .execute();
    return rows.filter(({ id, payload }) => vault.decrypt(buildOidcVaultPurpose(model), payload) === id).length;
  };
  const first = async () => (await loadServerKeys(server.parts.config.keys)).encryption.keys[0];

  test('[OPER-07] reject a lost or foreign key file: running servers keep their keys, a start and portal keys fail', async () => {
    const { parts } = server;
    const known = await readFile(file, 'utf8');
    const sealed = parts.vault.encrypt('test', 'text');
    await writeFile(file, generateEncryptionKey());
    await expect(reread()).rejects.toThrow(/^The encryption key is not the one that this database was filled with/);
    expect([parts, other].map(({ vault }) => vault.decrypt('test', sealed))).toEqual(['text', 'text']);
    expect(parts.vault.decrypt('test', other.vault.encrypt('test', 'text'))).toBe('text');
    await rm(file);
    await expect(reread()).rejects.toThrow(/ENOENT/);
    await expect(openQuietParts(parts)).rejects.toThrow(/encryption\.key is missing/);
    for (const words of [['show'], ['add', 'encryption']])
      expect(await keys(...words)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('encryption.key is missing'),
      });
    await expect(readFile(file), 'no key file is created').rejects.toThrow(/ENOENT/);
    await writeFile(file, known, { mode: 0o600 });
    await reread();
  });

  test('[SEC-11] [ASVS-11.1.1] [ASVS-11.1.4] portal keys policy lists custodian, approver, cryptoperiod and successor algorithm of each key', async () => {
    const { stdout } = await keys('policy');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('  ')[0]),
    ).toEqual(Object.keys(keyFileNames));
    expect(stdout).toMatch(
      /^signing {2}.* {2}kept by operations {2}approved by information security {2}730 days {2}successor: ML-DSA-65 by 2030-12-31$/m,
    );
    for (const { custodian, approver } of Object.values(keyPolicies)) expect(custodian).not.toBe(approver);
  });

  test('[ASVS-11.1.2] portal keys inventory lists use, algorithm, size, age, period and location of each key', async () => {
    const { stdout } = await keys('inventory');
    expect(stdout).toMatch(
      /^signing {2}[\w-]{43} {2}RSA {2}3072 bits {2}since \d{4}-\S+Z {2}730 days {2}in a file or setting$/m,
    );
    expect(stdout).toMatch(/^encryption {2}[\w-]{12} {2}AES-GCM {2}256 bits {2}since .* {2}in a file or setting$/m);
    expect(stdout.trim().split('\n')).toHaveLength(9);
  });

  test('[OPER-07] [SEC-11] [ASVS-11.2.2] are added and retired, with a re-encryption between, while two servers read and write', async () => {
    const { parts } = server;
    const { store } = parts;
    const digest = parts.vault.computeDigest('recovery code', 'ABCD');
    const name = await parts.saml.identifyCitizen('https://known.example', 'c1');
    for (let row = 0; row < count; row += 1) await add(parts, `row ${row}`);
    const old = await first();

    expect(await keys('retire', '--', old.id)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('encrypts now'),
    });
    expect(await keys('add', 'encryption', '--wait', '0')).toMatchObject({ status: 0 });
    server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000 + 1);
    await add(other, 'written with the old key by a server that has not read the new one');
    await reread();
    await add(other, 'written with the new key');
    expect(await read(parts)).toBe(count + 2);
    const listed = (await keys('list')).stdout;
    expect(listed).toMatch(new RegExp(`^encryption {2}${old.id} {2}the first {2}opens {2}${count + 1} values$`, 'm'));
    expect(listed).toMatch(/^encryption {2}[\w-]+ {2}since \S+ {2}encrypts {2}1 values$/m);
    expect(await keys('retire', '--', old.id)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`oidc_records.payload: ${count + 1}`),
    });

    let running = true;
    const reading = [parts, other].map(async (one) => {
      let times = 0;
      while (running) {
        expect(await read(one)).toBeGreaterThanOrEqual(count + 2);
        await add(one, `${one === other} ${times}`);
        times += 1;
        await setTimeout(20); // pause between requests
      }
      return times;
    });
    const both = await Promise.all([keys('re-encrypt'), keys('re-encrypt')]);
    running = false;
    const times = await Promise.all(reading);
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(both.map(({ status, stderr }) => ({ status, stderr }))).toEqual(Array(2).fill({ status: 0, stderr: '' }));
    expect((await keys('re-encrypt')).stdout, 'second run').toBe(`${old.id} is needed by 0 values\n`);
    expect(await countValuesEncryptedWithKey(parts.store, databaseTableDescriptions, old)).toEqual([]);

    expect(await keys('retire', '--', old.id)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Browsers may still have values'),
    });
    const text = await readFile(file, 'utf8');
    const earlier = addSeconds(new Date(), -secondsPerHour).toISOString();
    await writeFile(file, text.replace(/ \d{4}-\S+/, ` ${earlier}`));
    expect(await keys('retire', '--', old.id)).toMatchObject({ status: 0, stdout: `${old.id} is retired.\n` });
    expect(await readFile(file, 'utf8')).not.toContain(old.bytes.toString('base64'));
    await reread();
    const started = await open();
    for (const one of [parts, other, started]) {
      expect(await read(one)).toBe(count + 2 + (times[0] ?? 0) + (times[1] ?? 0));
      expect(
        one.vault.matchesDigest('recovery code', 'ABCD', digest),
        'digest with the derived key of the first encryption key',
      ).toBe(true);
      expect(one.vault.matchesDigest('recovery code', 'ABCE', digest)).toBe(false);
      expect(
        one.vault.computeDigest('recovery code', 'ABCD'),
        '[SEC-11] [ASVS-11.2.2] digest with the new derived key',
      ).not.toBe(digest);
      expect(await one.saml.identifyCitizen('https://known.example', 'c1')).toBe(name);
    }
    const [added] = started.vault.listDerivedKeys();
    expect(
      parts.vault.matchesDigest('recovery code', 'ABCD', started.vault.computeDigest('recovery code', 'ABCD')),
    ).toBe(true);
    const fresh = await started.saml.identifyCitizen('https://new.example', 'c1');
    expect(await parts.saml.identifyCitizen('https://new.example', 'c1')).toBe(fresh);
    const bound = await store.db
      .selectFrom('pairwise_sectors')
      .select(['sector', 'key_version'])
      .orderBy('sector')
      .execute();
    expect(bound).toEqual([
      { sector: 'https://known.example', key_version: '' },
      { sector: 'https://new.example', key_version: added.id },
    ]);
    expect(added.id).toHaveLength(12);

    await writeFile(file, old.bytes.toString('base64'));
    await expect(open(), 'a server with only the retired key').rejects.toThrow(StartError);
    await writeFile(file, text);
  }, 120_000);

  test('[OPER-07] are counted as needed by stored copies of earlier credentials', async () => {
    const { store } = server.parts;
    const key = await first();
    const citizen = await store.db.selectFrom('citizens').select('id').executeTakeFirstOrThrow();
    await store.db
      .insertInto('credential_changes')
      .values({
        citizen_id: citizen.id,
        session_id: null,
        kind: 'second-factor',
        at: server.clock.now(),
        before: JSON.stringify({
          email: null,
          phone: null,
          closing: false,
          second_factors: [{ secret: 'AbC' }, { secret: null }],
        }),
        undone_at: null,
      })
      .execute();
    const needed = await countValuesEncryptedWithKey(store, databaseTableDescriptions, { ...key, since: null });
    expect(needed).toEqual([{ table: 'credential_changes', column: 'before', count: 1 }]);
  });

  test('[OPER-07] portal keys rejects adding a captcha key and retiring an unknown key', async () => {
    expect(await keys('add', 'captcha')).toMatchObject({ status: 2 });
    expect(await keys('retire', '--', 'none')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no encryption key'),
    });
    await rm(`${file}.new`, { force: true });
  });
});
