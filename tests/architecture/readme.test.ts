import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { settingsTable } from '../../src/server/config/settings.ts';

const readme = readFileSync(join(resolve(import.meta.dirname, '../..'), 'README.md'), 'utf8');

test('[CFG-04] README lists every setting as the server declares it', () => {
  expect(readme).toContain(settingsTable().trim());
});
