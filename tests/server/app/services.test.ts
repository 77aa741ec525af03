import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { operationNames } from '../../../src/contract/contract.ts';
import { openDatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { createServerServices } from '../../../src/server/app/create-server-services.ts';
import { textCatalogue as texts } from '../../../src/server/app/server-modules.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createFakeDefinitions } from '../support/fake-definitions.ts';
import { placeSigningKey } from '../support/signing-key.ts';
import { placeDatabase } from '../support/tables.ts';

test('[CFG-03] services handle every operation of the contract, lock their data, and release it on close', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-services-'));
  await placeDatabase(folder);
  await placeSigningKey(folder);
  const config = readConfig({ DATA_DIR: folder, OUTBOX_PORT: '0' });
  const definitions = createFakeDefinitions();
  const open = () =>
    createServerServices({
      config,
      clock: createFakeClock(),
      log: pino({ level: 'silent' }),
      definitions: () => definitions,
      content: () => ({}),
    });

  const first = await open();
  expect(Object.keys(first.handlers).sort()).toEqual([...operationNames].sort());
  await first.ready();
  expect(await (await fetch(`${first.outboxUrl}/messages`)).json()).toEqual([]);
  await expect(open()).rejects.toThrow('in use by process');
  expect(await first.authenticate('x')).toBeNull();
  expect(await first.loadFacts('registerCitizen', { caller: null, params: {}, body: {} })).toEqual({
    flags: config.flags,
    passwordPolicy: null,
    authenticated: false,
    user: null,
  });
  await first.close();
  await expect(first.ready()).rejects.toThrow();

  const second = await open();
  await second.ready();
  await second.close();

  const store = await openDatabaseStore({ folder }, pino({ level: 'silent' }));
  const [{ password_hash: hash } = { password_hash: '' }] = await store.db
    .selectFrom('credentials')
    .select('password_hash')
    .execute();
  expect(hash, 'argon2id with 19 MiB, t=2, p=1').toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

test('[REG-07] server texts have the same codes in both languages, and none is empty', () => {
  expect(Object.keys(texts.pt).sort()).toEqual(Object.keys(texts.es).sort());
  for (const text of [...Object.values(texts.es), ...Object.values(texts.pt)]) expect(text).not.toBe('');
});
