import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { startPostgres, type TestPostgres } from '../server/support/postgres.ts';
import { createAccount } from './support/accounts.ts';
import { expect, test as base } from './support/fixtures.ts';
import { projectRoot, startPortal } from './support/portal.ts';
import { newForeigner, signIn } from './support/registration.ts';

/** A portal over a PostgreSQL, at which an operator's command works while the server runs. */
const test = base.extend<object, { database: TestPostgres; keys: string }>({
  keys: [
    // eslint-disable-next-line no-empty-pattern -- as below
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'keys-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  database: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const database = await startPostgres();
      await use(database);
      await database.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  portal: [
    async ({ database, keys }, use) => {
      const portal = await startPortal(projectRoot, { DATABASE_URL: database.url, KEYS_DIR: keys });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

const title = (page: Page) => page.getByRole('heading', { level: 1 });

for (const { next, act } of [
  { next: 'press', act: (page: Page) => page.getByRole('button', { name: 'Ver últimas acciones' }).click() },
  { next: 'page', act: (page: Page) => page.reload() },
])
  test(`[SEG-01] whose account an operator blocks lands on the page that says so at the next ${next}, and is led to who can help`, async ({
    page,
    portal,
    database,
    keys,
    axe,
  }) => {
    const person = newForeigner();
    await createAccount(portal, person);
    await page.goto('/login?redirectUrl=/seguridad');
    await signIn(page, person);
    await expect(title(page)).toHaveText('Seguridad');

    const document = `${person.country}-${person.type}-${person.document}`;
    await promisify(execFile)(
      process.execPath,
      ['src/cli/portal.mjs', 'account', 'block', document, '--reason', 'Pedido del juzgado'],
      { cwd: projectRoot, env: { ...process.env, DATABASE_URL: database.url, KEYS_DIR: keys } },
    );
    await act(page);
    await expect(title(page)).toHaveText('Tu cuenta esta bloqueada');
    expect(await axe()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'Contacto' }).click();
    await expect(title(page)).toHaveText('Contacto');
  });
