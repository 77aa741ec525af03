import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { typeByKeyboard as type } from './support/keyboard.ts';
import { completePasswordSteps, createForeigner } from './support/registration.ts';

const press = '\n';
const app = '/seguridad/autenticacion-en-dos-pasos/totp';
const steps = (page: Page) => page.getByRole('navigation', { name: 'Pasos' });
const currentStep = (page: Page) => steps(page).locator('[aria-current="step"]');

/** Expects the focus on the heading of the step. The position of the step is its accessible description. */
async function expectStep(page: Page, heading: string, step: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1, name: heading });
  await expect(title).toBeFocused();
  await expect(title).toHaveAccessibleDescription(step);
}

test('[ENG-10 MFA-02] the app setup works with the keyboard, its step bar links back, and its steps cannot be skipped', async ({
  page,
  portal,
  axe,
}) => {
  test.setTimeout(120_000);
  const citizen = createForeigner();
  await createAccount(portal, citizen);
  await openSignedIn(page, portal, citizen);
  await page.goto(`${app}/activar`);
  await expect(page, 'the path of a later step opens the first step').toHaveURL(new RegExp(`${app}$`));
  await expect(currentStep(page)).toHaveText('1 Preparar la aplicación');
  await expect(steps(page).getByRole('link')).toHaveCount(0);
  await type(page.getByRole('button', { name: 'Continuar' }), press);

  await expectStep(page, 'Agregá tu cuenta a la aplicación', 'Paso 2 de 3: Agregar la cuenta');
  const key = (await page.getByLabel('Clave de configuración', { exact: true }).inputValue()).replaceAll(/\s/g, '');
  await type(page.getByRole('button', { name: 'Continuar' }), press);
  await expectStep(page, 'Ingresá el código de verificación', 'Paso 3 de 3: Comprobar');
  await expect(steps(page).getByRole('link')).toHaveText(['1 Preparar la aplicación', '2 Agregar la cuenta']);
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 320) expect(await axe()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const links = await steps(page).getByRole('link').all();
    for (const link of links) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(
      (await page.getByText('Paso 3 de 3: Comprobar').boundingBox())?.height,
      'the position is visible without the step names',
    ).toBeGreaterThan(width < 640 ? 15 : 0);
  }

  await page.keyboard.press('Shift+Tab');
  await expect(
    steps(page).getByRole('link', { name: 'Agregar la cuenta' }),
    'the step bar is before the heading',
  ).toBeFocused();
  await page.keyboard.press('Enter');
  await expectStep(page, 'Agregá tu cuenta a la aplicación', 'Paso 2 de 3: Agregar la cuenta');
  expect(
    (await page.getByLabel('Clave de configuración', { exact: true }).inputValue()).replaceAll(/\s/g, ''),
    'the key is unchanged',
  ).toBe(key);
  await page.goBack();
  await expectStep(page, 'Ingresá el código de verificación', 'Paso 3 de 3: Comprobar');
  await page.goBack();
  await expectStep(page, 'Agregá tu cuenta a la aplicación', 'Paso 2 de 3: Agregar la cuenta');
  await page.goForward();
  await expectStep(page, 'Ingresá el código de verificación', 'Paso 3 de 3: Comprobar');
  await type(page.getByRole('textbox', { name: 'Código de verificación' }), `${generateSync({ secret: key })}${press}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Activaste el doble factor' })).toBeVisible();
  await expect(steps(page)).toHaveCount(0);
});

test('[ENG-10] the step bar of a sign-in counts the choice as step one, and is translated to Portuguese', async ({
  page,
  portal,
  axe,
}) => {
  const citizen = createForeigner();
  await createAccount(portal, citizen);
  await page.goto('/login?redirectUrl=/configurar-segundo-factor');
  await completePasswordSteps(page, citizen);
  await expect(page.getByRole('heading', { level: 1, name: 'Activá el doble factor' })).toBeVisible();
  await expect(steps(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Configurar con correo electrónico' }).click();
  await expectStep(page, 'Configurar con correo electrónico', 'Paso 2 de 3: Pedir el código');
  await page.getByRole('link', { name: 'Português' }).click();
  await expect(page.getByRole('navigation', { name: 'Passos' }).getByRole('listitem')).toHaveText([
    '1 Escolher como',
    '2 Pedir o código',
    '3 Verificar',
  ]);
  expect(await axe()).toEqual([]);
  await page.getByRole('link', { name: 'Escolher como' }).click();
  await expect(page).toHaveURL(/\/configurar-segundo-factor$/);
});
