import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { command as keys } from '../../../src/cli/database/keys.ts';
import type { HandlerContext } from '../../../src/server/features/handler-context.ts';
import { StartError } from '../../../src/server/platform/base/errors.ts';
import { loadServerKeys } from '../../../src/server/platform/keys/load-server-keys.ts';
import { watchDesk } from '../../../src/server/features/desk/index.ts';
import { processDueCalls } from '../../../src/server/features/video-calls/process-due-calls.ts';
import { runInProcess } from '../support/run-command.ts';
import { insertBookedCall } from '../support/desk.ts';
import { startLiveServer } from '../support/live-server.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createKeyFilesConfig, placeSigningKey } from '../support/signing-key.ts';

const timeout = 120_000;

let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), 'portal-replicas-'));
}, timeout);
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Checks that a change by one replica reaches the desk of another one, and that only one replica sends each reminder.
 */
async function expectCallsShared(replicas: readonly HandlerContext[]): Promise<void> {
  const [first, second] = replicas;
  if (first === undefined || second === undefined) throw new Error('two replicas at least');
  const { events } = await watchDesk(second, {} as Parameters<typeof watchDesk>[1]); // this test does not use the parameter
  const told: number[] = [];
  const left = new AbortController();
  const ended = events?.(({ numero }) => told.push(numero), left.signal);
  await vi.waitFor(() => expect(told).toEqual([0]));
  await insertBookedCall({ parts: first }, { state: 'Agendado', place: 1, email: 'recordatorio@example.com' });
  await vi.waitFor(() => expect(told).toEqual([0, 1]));
  left.abort();
  await ended;
  await Promise.all(replicas.map((parts) => processDueCalls(parts, parts.clock.now())));
  const mails = await first.store.db
    .selectFrom('outbox')
    .select('subject')
    .where('recipient', '=', 'recordatorio@example.com');
  expect(await mails.execute()).toHaveLength(2); // two reminders are due: that of the day before and that of the hour before
}

test(
  'loadServerKeys creates one set of keys if three callers start on one folder at the same time',
  async () => {
    const dir = join(folder, 'shared-keys');
    const made = await Promise.all(Array.from({ length: 3 }, () => loadServerKeys(createKeyFilesConfig(dir))));
    expect(
      new Set(
        made.map(({ signing, encryption, captcha }) =>
          [signing[0].kid, encryption.keys[0].id, captcha.toString('hex')].join(),
        ),
      ).size,
    ).toBe(1);
  },
  timeout,
);

test(
  '[DESK-02] three replicas share database and call events, and one with other keys starts only after portal keys accept',
  async () => {
    const env = { DATABASE_URL: postgres.url, KEYS_DIR: join(folder, 'keys') };
    await placeSigningKey(folder);
    const replicas = await Promise.all([startLiveServer(env), startLiveServer(env), startLiveServer(env)]);
    const [first] = replicas;
    expect(new Set(replicas.map(({ parts }) => parts.oidc.signing.listCurrentKeys()[0].kid)).size).toBe(1);
    expect(await first?.parts.store.db.selectFrom('citizens').select('number').orderBy('number').execute()).toEqual([
      { number: '29458715' },
      { number: '36509181' },
      { number: '45123784' },
      { number: '46781232' },
    ]);

    await expectCallsShared(replicas.map(({ parts }) => parts));

    const others = { ...env, KEYS_DIR: join(folder, 'other-keys') };
    await expect(startLiveServer(others), 'no key is created in place of a missing one').rejects.toThrow(
      /signing\.pem is missing, .*put the file back.*`npx portal keys accept`/,
    );
    expect(existsSync(join(folder, 'other-keys/encryption.key'))).toBe(false);
    await cp(join(folder, 'shared-keys'), others.KEYS_DIR, { recursive: true });
    const refused = await startLiveServer(others).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toMatch(/The encryption key is not the one .+ENCRYPTION_KEY.+`npx portal keys accept`/);

    const command = (...given: string[]) => runInProcess(keys, given, { BASE_URL: '', ...others });
    expect((await command()).stderr).toContain('Usage:');
    expect((await command('accept')).stdout).toMatch(/^encryption +([\w-]+) {2}known: \1$/m);
    const accepted = await startLiveServer(others);
    await Promise.all([...replicas, accepted].map((server) => server.close()));
  },
  timeout,
);

test(
  'server start accepts a new signing key in front of the known one, and rejects it without the known one',
  async () => {
    const dir = join(folder, 'other-keys');
    await loadServerKeys(createKeyFilesConfig(join(folder, 'new')));
    const pem = async (of: string) => await readFile(join(of, 'signing.pem'), 'utf8');
    const rotated = await startLiveServer({
      DATABASE_URL: postgres.url,
      KEYS_DIR: dir,
      SIGNING_KEY: `${await pem(join(folder, 'new'))}\n${await pem(dir)}`,
    });
    await rotated.close();
    await expect(
      startLiveServer({ DATABASE_URL: postgres.url, KEYS_DIR: dir, SIGNING_KEY: await pem(join(folder, 'new')) }),
    ).rejects.toThrow('signing key');
  },
  timeout,
);
