import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { normalizeEmail } from '../../../src/server/platform/base/normalize-input.ts';
import { buildNormalizedMailboxSql, normalizeMailbox } from '../../../src/server/trust/abuse/mail-allowance.ts';
import { createAttemptThrottle, type AttemptThrottle } from '../../../src/server/trust/abuse/attempt-throttle.ts';
import { serverModule as contactData } from '../../../src/server/features/contact-data/index.ts';
import { serverModule as support } from '../../../src/server/features/support/index.ts';
import { credentialAttemptLimits } from '../../../src/server/trust/credentials/index.ts';
import { sessionAttemptLimits } from '../../../src/server/trust/sessions/index.ts';
import { defaultDatabase } from '../support/databases.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

describe.each([defaultDatabase])('throttle on %s', (database) => {
  let on: TestStore;
  let throttle: AttemptThrottle;
  beforeAll(async () => {
    on = await openTestStore(database);
    throttle = createAttemptThrottle(on.store);
  });
  afterAll(() => on.close());

  type Counted = { readonly address: string; readonly document: string };
  const admit = (counted: Counted) => throttle.admit(credentialAttemptLimits.signIn, counted, on.clock.now());
  /** Returns the seconds until the next attempt is admitted, or 0 if the counted attempt was admitted. */
  const waitOf = (counted: Counted) =>
    admit(counted).then(
      () => 0,
      (error: { retryAfter: number }) => error.retryAfter,
    );

  test('[LOG-03] delays attempts after ten, doubles the delay up to 15 minutes, and resets after a day', async () => {
    const wait = () => waitOf({ address: '192.0.2.50', document: 'uy-ci-1' });
    for (let attempt = 1; attempt <= 10; attempt++) expect(await wait()).toBe(0);
    const delays: number[] = [];
    for (let attempt = 11; attempt <= 23; attempt++) {
      const delay = await wait();
      delays.push(delay);
      on.clock.advance(delay);
      expect(await wait()).toBe(0);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    on.clock.advance(25 * 60 * 60);
    for (let attempt = 1; attempt <= 9; attempt++) expect(await wait()).toBe(0);
  });

  test('[LOG-03] counts 30 parallel attempts one by one', async () => {
    const tries = Array.from({ length: 30 }, () =>
      throttle.admit(credentialAttemptLimits.signIn, { address: '192.0.2.51', document: 'uy-ci-2' }, on.clock.now()),
    );
    const admitted = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(admitted).toHaveLength(10);
  });

  test('[LOG-03] admits free attempts with a clock that is slightly behind', async () => {
    const counted = { address: '192.0.2.55', document: 'uy-ci-5' };
    const behind = new Date(on.clock.now().getTime() - 1);
    for (const time of [on.clock.now(), behind, on.clock.now(), behind])
      await throttle.admit(credentialAttemptLimits.signIn, counted, time);
  });

  test('[LOG-03] resets the count of a document after a success', async () => {
    const counted = { address: '192.0.2.52', document: 'uy-ci-3' };
    for (let attempt = 1; attempt <= 9; attempt++) await admit(counted);
    await throttle.forgive({ limit: credentialAttemptLimits.signIn, counted: counted });
    for (let attempt = 1; attempt <= 10; attempt++) await admit(counted);
    await expect(admit(counted)).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
  });

  test('[LOG-03] subtracts one attempt of an address after a success, and never below zero', async () => {
    const address = '192.0.2.53';
    await throttle.forgive({ limit: credentialAttemptLimits.signIn, counted: { address } });
    for (let attempt = 1; attempt <= 59; attempt++) await admit({ address, document: `uy-ci-many-${attempt}` });
    await throttle.forgive({ limit: credentialAttemptLimits.signIn, counted: { address } });
    expect([
      await waitOf({ address, document: 'uy-ci-a' }),
      await waitOf({ address, document: 'uy-ci-b' }),
      await waitOf({ address, document: 'uy-ci-c' }),
    ]).toEqual([0, 0, 1]);
  });

  test('[LOG-03] counts separately for each purpose and document, and a document from all addresses together', async () => {
    const counted = { address: '192.0.2.54', document: 'uy-ci-4' };
    for (let attempt = 1; attempt <= 10; attempt++) await admit(counted);
    expect(await waitOf(counted)).toBe(1);
    expect(await waitOf({ ...counted, document: 'uy-ci-5' })).toBe(0);
    await throttle.admit(credentialAttemptLimits.secondFactor, counted, on.clock.now());
    expect(await waitOf({ ...counted, address: '192.0.2.55' })).toBe(1);
  });

  test('[LOG-03] counts an IPv6 address as its /64 network, and a document as given', async () => {
    const from = (address: string) =>
      throttle.admit(
        support.limits.contact,
        { address, document: `uy-ci-${address}`, email: `${address}@example.com` },
        on.clock.now(),
      );
    for (let attempt = 1; attempt <= 20; attempt++) await from(`2001:db8:0:1::${attempt}`);
    await expect(from('2001:db8:0:1:ffff::1')).rejects.toMatchObject({ retryAfter: 1 });
    await from('2001:db8:0:2::1');
    for (let attempt = 1; attempt <= 10; attempt++) await admit({ address: '192.0.2.56', document: '2001:db8::1' });
    expect(await waitOf({ address: '192.0.2.56', document: '2001:db8::2' })).toBe(0);
  });

  test('[LOG-03] allows an IPv6 /48 site 16 times the attempts of one network, and a success does not reduce its count', async () => {
    const from = (network: number, site = 'db8:7') =>
      throttle.admit(support.limits.contact, { address: `2001:${site}:${network.toString(16)}::1` }, on.clock.now());
    for (let network = 1; network < 320; network += 1) await from(network);
    await throttle.forgive({ limit: support.limits.contact, counted: { address: '2001:db8:7:1::1' } });
    await from(1);
    await from(320);
    await expect(from(321)).rejects.toMatchObject({ retryAfter: 1 });
    await from(321, 'db8:8');
  });

  test('[SEG-06] counts a mailbox once, ignoring the tag and dots of its address', async () => {
    const from = (email: string) => throttle.admit(contactData.limits.changeEmail, { email }, on.clock.now());
    for (let attempt = 1; attempt <= 5; attempt++) await from(`ana.perez+${attempt}@example.com`);
    for (let attempt = 1; attempt <= 5; attempt++) await from(`A.n.a.Perez+x+${attempt}@Example.com`);
    await expect(from('anaperez@example.com')).rejects.toMatchObject({ retryAfter: 1 });
    for (const email of [
      'anaperez@correo.example.com',
      'anaperez@ñandú.example',
      'ana-perez@example.com',
      '+anaperez@example.com',
      '+@example.com',
    ])
      await from(email);
  });

  test.each(['ana@ÑANDÚ.uy', 'ana@xn--and-6ma2c.uy', 'ana@XN--AND-6MA2C.uy', 'ana@n\u0303andu\u0301.uy'])(
    '[SEG-06 VAL-06] normalizes %s to the mailbox ana@ñandú.uy',
    (email) => {
      expect(normalizeMailbox(email)).toBe('ana@ñandú.uy');
      expect(normalizeEmail(email)).toBe('ana@ñandú.uy');
    },
  );

  test.each([
    ['Ana.Perez+uno+dos@Correo.Example.com', 'anaperez@correo.example.com'],
    ['+ana@example.com', '+ana@example.com'],
    ['+a.na+1@example.com', '+ana@example.com'],
    ['ana@example.com', 'ana@example.com'],
  ])('[SEG-06] normalizes the mailbox of %s in the database as in the server', async (email, expected) => {
    expect(normalizeMailbox(email)).toBe(expected);
    const { rows } = await sql<{ mailbox: string }>`
      select ${buildNormalizedMailboxSql('email')} as mailbox from (select ${email}::text as email) as typed`.execute(
      on.store.db,
    );
    expect(rows).toEqual([{ mailbox: expected }]);
  });

  test('stores no counter that the purpose does not have', async () => {
    const counted = { address: '192.0.2.57', document: 'uy-ci-6' };
    const before = (await on.store.db.selectFrom('throttle').select('key').execute()).length;
    await throttle.admit(sessionAttemptLimits.challenge, counted, on.clock.now());
    expect(await on.store.db.selectFrom('throttle').select('key').execute()).toHaveLength(before + 1);
  });

  test('stores no document or address in plain text', async () => {
    const keys = await on.store.db.selectFrom('throttle').select('key').execute();
    expect(keys.length).toBeGreaterThan(0);
    for (const { key } of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});
