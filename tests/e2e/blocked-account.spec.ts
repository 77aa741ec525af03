import type { Page } from '@playwright/test';
import { runOperatorCommand, createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { createForeigner } from './support/registration.ts';

const title = (page: Page) => page.getByRole('heading', { level: 1 });

for (const { next, act } of [
  { next: 'press', act: (page: Page) => page.getByRole('button', { name: 'Ver últimas acciones' }).click() },
  { next: 'page', act: (page: Page) => page.reload() },
])
  test(`[SEG-01] an account that an operator blocks sees the blocked page at the next ${next}, with a link to Contacto`, async ({
    page,
    portal,
    axe,
  }) => {
    const person = createForeigner();
    await createAccount(portal, person);
    await openSignedIn(page, portal, person, '/seguridad');
    await expect(title(page)).toHaveText('Seguridad');

    await runOperatorCommand(portal, 'block', person);
    await act(page);
    await expect(title(page)).toHaveText('Tu cuenta esta bloqueada');
    expect(await axe()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.locator('main').getByText('Contacto', { exact: true }).click();
    await expect(title(page)).toHaveText('Contacto');
  });
