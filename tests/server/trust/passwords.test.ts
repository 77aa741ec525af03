import * as argon2 from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { createPasswordHasher } from '../../../src/server/trust/credentials/passwords.ts';

vi.mock('@node-rs/argon2', { spy: true });

test('password hasher rejects calls beyond its queue with 503, and accepts new ones afterwards', async () => {
  const passwords = await createPasswordHasher({ running: 2, waiting: 3 });
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.hash('una-frase-larga')));
  expect(results.map(({ status }) => status)).toEqual([
    ...Array<string>(5).fill('fulfilled'),
    ...Array<string>(3).fill('rejected'),
  ]);
  for (const result of results) {
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ status: 503, code: 'servidor_ocupado', retryAfter: 2 });
  }
  expect(await passwords.hash('una-frase-larga')).toMatch(/^\$argon2id\$/);
});

test('[OPER-08] password hasher rejects a call that would wait too long, even if the queue has room', async () => {
  const passwords = await createPasswordHasher({ running: 1, waiting: 100, waitMs: 0.01 });
  await passwords.hash('una-frase-larga');
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => passwords.hash('una-frase-larga')));
  expect(
    results.map(({ status }) => status),
    'one runs and one waits',
  ).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
});

test('[LOG-05] verify accepts only the same password, composed or decomposed, with up to 128 characters', async () => {
  const passwords = await createPasswordHasher({ running: 2, waiting: 3 });
  const long = `${'x'.repeat(126)}é`;
  const hash = await passwords.hash(long);
  expect(await passwords.verify(hash, long.normalize('NFD'))).toBe(true);
  expect(await passwords.verify(hash, `${'x'.repeat(126)}e`)).toBe(false);
  expect(await passwords.verify(hash, `${long} `)).toBe(false);
  expect(await passwords.verify(null, long)).toBe(false);
});

test('[LOG-03] verify takes a hash of the same cost for an account that does not exist', async () => {
  const passwords = await createPasswordHasher({ running: 2, waiting: 3 });
  const stored = await passwords.hash('una-frase-larga');
  const verify = vi.mocked(argon2.verify).mockClear();
  expect(await passwords.verify(null, 'una-frase-falsa')).toBe(false);
  expect(await passwords.verify(stored, 'una-frase-falsa')).toBe(false);
  const costs = verify.mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4).join('$'));
  expect(costs).toEqual(['$argon2id$v=19$m=19456,t=2,p=1', '$argon2id$v=19$m=19456,t=2,p=1']);
});

test('[ASVS-6.5.2] recovery codes are hashed with the cost of passwords and one salt, and a lookup takes one hash', async () => {
  const passwords = await createPasswordHasher({ running: 2, waiting: 3 });
  const hashes = await passwords.hashCodes(['AAAA', 'BBBB', 'CCCC']);
  for (const stored of hashes) expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const hash = vi.mocked(argon2.hash).mockClear();
  expect(await passwords.findCode(hashes, 'CCCC')).toBe(hashes[2]);
  expect(await passwords.findCode(hashes, 'DDDD')).toBeNull();
  expect(hash).toHaveBeenCalledTimes(2);
  expect(await passwords.findCode([], 'AAAA')).toBeNull();
});

test('[ASVS-6.5.2] findCode finds a recovery code among hashes of several sets, also if hashed with an earlier Argon2 cost', async () => {
  const earlier = await createPasswordHasher({
    running: 1,
    waiting: 1,
    cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
  });
  const passwords = await createPasswordHasher({ running: 2, waiting: 3 });
  const [old = ''] = await earlier.hashCodes(['AAAA']);
  const [fresh = ''] = await passwords.hashCodes(['BBBB']);
  expect(await passwords.findCode([old, fresh], 'AAAA')).toBe(old);
  expect(await passwords.findCode([old, fresh], 'BBBB')).toBe(fresh);
});
