import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/application.ts';
import { addAuthenticator, createAccount, openSignedIn } from './support/accounts.ts';
import { recordLayoutMovements } from './support/layout-shift.ts';
import { findLink, waitForMail } from './support/outbox.ts';
import {
  activeSampleCitizen,
  completePasswordSteps,
  createForeigner,
  createSampleCitizen,
} from './support/registration.ts';

test('[SEG-01 SEG-03 SEG-04 SEG-06 INI-02] the security overview shows level and activity, and shows the message of the address once', async ({
  page,
  portal,
}) => {
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person, '/seguridad?msg=Usted%20ya%20realiz%C3%B3%20esta%20acci%C3%B3n');
  await expect(page.getByRole('heading', { level: 1, name: 'Seguridad' })).toBeVisible();
  await expect(page.getByText('Usted ya realizó esta acción')).toBeVisible();
  await expect(page).toHaveURL(/\/seguridad$/);
  await page.getByRole('button', { name: 'Cerrar este mensaje' }).click();
  await expect(page.getByText('Usted ya realizó esta acción')).toBeHidden();
  await expect(page.getByRole('region', { name: 'Nivel de seguridad' })).toContainText('Nivel Básico');
  const activity = page.getByRole('region', { name: 'Actividad' });
  await activity.getByRole('button', { name: 'Ver últimas acciones' }).click();
  const entry = activity.getByRole('listitem').filter({ hasText: 'Inicio de sesión' }).first();
  await expect(entry).toContainText(/\d\d\/\d\d\/\d{4}, \d\d:\d\d\shs · Vos/);
  await expectAccessible(page);
});

test('[SEG-05] an application is removed from the list after a confirmation, and the citizen gets a mail', async ({
  page,
  portal,
  application,
  mail,
}) => {
  const person = createForeigner();
  await createAccount(portal, person);
  const request = await application.begin();
  await page.goto(request.url.href);
  await completePasswordSteps(page, person);
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await page.getByRole('button', { name: 'Permitir' }).click();
  await page.waitForURL((url) => url.href.startsWith(application.callback));
  await page.goto('/seguridad');
  const list = page.getByRole('region', { name: 'Aplicaciones con acceso a tus datos' });
  await list.getByRole('button', { name: `Retirar acceso de ${application.name}` }).click();
  await expect(page.getByRole('dialog')).toContainText(`¿Retirar el acceso de ${application.name}?`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await list.getByRole('button', { name: `Retirar acceso de ${application.name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retirar acceso' }).click();
  await expect(page.getByText('Se retiró el acceso de la aplicación correctamente.')).toBeVisible();
  await expect(list).toContainText('Ninguna aplicación tiene acceso a tus datos.');
  expect((await mail(person.email, 2)).subject).toContain('Se retiró el acceso de una aplicación');
});

test('[SEG+NOFUI] the no-fui-yo link of a mail protects the account with a button, and works once', async ({
  page,
  portal,
  axe,
}) => {
  const person = createSampleCitizen('Graciela', 'Benítez', '22145892');
  await createAccount(portal, person);
  await addAuthenticator(portal, person);
  const notice = await waitForMail(portal.outboxUrl, person.email, 2);
  expect(notice.subject).toContain('Se activó el doble factor');
  await page.goto(findLink(notice, 'no-fui-yo'));
  await expect(page).toHaveURL(/\/no-fui-yo$/);
  await expect(page.getByRole('heading', { level: 1, name: '¿No fuiste vos?' })).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'No fui yo, proteger mi cuenta' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Protegimos tu cuenta' })).toBeVisible();
  const reset = await waitForMail(portal.outboxUrl, person.email, 3);
  expect(reset.subject).toContain('Protegimos tu cuenta');
  await page.goto(findLink(notice, 'no-fui-yo'));
  await page.getByRole('button', { name: 'No fui yo, proteger mi cuenta' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ups, ocurrió un problema...' })).toBeVisible();
});

/** Delays each response that matches `pattern`, so that a layout shift between two responses becomes visible. */
const delay = (context: BrowserContext, pattern: RegExp) =>
  context.route(pattern, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue();
  });

/** Opens a page until `shown` is visible. Returns its path and the texts that moved meanwhile. */
async function listMovements(page: Page, path: string, shown: Locator): Promise<readonly [string, readonly string[]]> {
  const findDisplaced = await recordLayoutMovements(page);
  await page.goto(path, { waitUntil: 'commit' });
  await expect(shown).toBeVisible({ timeout: 20_000 });
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500); // time for a late layout shift
  return [path, await findDisplaced()];
}

for (const width of [360, 1280])
  test.describe(`pages at ${width} px`, () => {
    test.use({ viewport: { width, height: 740 } });

    test('[INI+PINTURA] for visitors have no layout shift while each call and font takes 2 seconds', async ({
      context,
    }) => {
      await delay(context, /\/(rest|auth|jwt|account)\/|\.woff2$/);
      const paths = ['/', '/login', '/registro', '/ayuda'];
      const found = await Promise.all(
        paths.map(async (path) => {
          const page = await context.newPage();
          return listMovements(page, path, page.locator('#root form input, [data-whole] h1').first());
        }),
      );
      expect(found).toEqual(paths.map((path) => [path, []]));
    });

    test('[SEG-01 INI+PINTURA] for citizens have no layout shift while each call takes 2 seconds', async ({
      page,
      context,
      portal,
    }) => {
      await openSignedIn(page, portal, activeSampleCitizen, '/acerca-de');
      await delay(context, /\/(rest|auth|jwt|account)\//);
      const headings = {
        '/': 'Tu cuenta',
        '/seguridad': 'Tu cuenta',
        '/seguridad/mis-datos': 'Tus datos',
        '/seguridad/sesiones': 'Sesiones y dispositivos',
      };
      const found = await Promise.all(
        Object.entries(headings).map(async ([path, name]) => {
          const own = await context.newPage();
          return listMovements(own, path, own.locator('#root').getByRole('heading', { name }));
        }),
      );
      expect(found).toEqual(Object.keys(headings).map((path) => [path, []]));
    });
  });
