import type { Page } from '@playwright/test';
import { runOperatorCommand, addAuthenticator, createAccount } from './support/accounts.ts';
import { expect, test, type Application } from './support/application.ts';
import {
  activeSampleCitizen,
  createForeigner,
  createSampleCitizen,
  submitPasswordSteps,
} from './support/registration.ts';

const other = 'Iniciá sesión de otra manera';
const second = 'Activá el doble factor de autenticación';
const identity = 'Validá tu identidad digital';
const cancel = 'Cancelar y volver';
const higher = 'Necesitás un nivel de seguridad mayor';

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Sends an authorization request for level 2 from a browser without a session. */
async function requestLevelTwo(page: Page, application: Application): Promise<void> {
  await page.context().clearCookies();
  await page.goto(application.callback);
  await page.goto((await application.begin({ acr_values: 'urn:iduruguay:nid:2' })).url.href);
  await title(page, 'Iniciá sesión');
}

async function buttons(page: Page): Promise<readonly string[]> {
  return page.locator('main').getByRole('button').allInnerTexts();
}

test.describe('sign-in for level 2', () => {
  test('[LOG-09 LOG-11 LOG-01] offers a citizen without second factor and verified identity to set up either, to sign in differently, or to cancel', async ({
    page,
    application,
    axe,
  }) => {
    await requestLevelTwo(page, application);
    await submitPasswordSteps(page, activeSampleCitizen);
    await title(page, higher);
    expect(await axe()).toEqual([]);
    expect(await buttons(page)).toEqual([second, identity, other, cancel]);

    await page.getByRole('button', { name: other }).click();
    await title(page, 'Iniciá sesión');
    await submitPasswordSteps(page, activeSampleCitizen);
    await title(page, higher);
    await page.getByRole('button', { name: cancel }).click();
    await expect(page, 'the application gets access_denied').toHaveURL(/\/callback\?error=access_denied&/);

    await requestLevelTwo(page, application);
    await submitPasswordSteps(page, activeSampleCitizen);
    await page.getByRole('button', { name: second }).click();
    await expect(page).toHaveURL(/\/seguridad\/autenticacion-en-dos-pasos$/);
    await title(page, 'Doble factor de autenticación');

    await requestLevelTwo(page, application);
    await submitPasswordSteps(page, activeSampleCitizen);
    await page.getByRole('button', { name: identity }).click();
    await expect(page).toHaveURL(/\/seguridad$/);
    await title(page, 'Seguridad');
  });

  test('[LOG-09 LOG-11] offers second factor, other sign-in and cancelling to a verified citizen without a factor', async ({
    page,
    portal,
    application,
  }) => {
    const verified = createForeigner();
    await createAccount(portal, verified);
    await runOperatorCommand(portal, 'elevate', verified);
    await requestLevelTwo(page, application);
    await submitPasswordSteps(page, verified);
    await title(page, 'Necesitás un doble factor');
    expect(await buttons(page)).toEqual([second, other, cancel]);
    await page.getByRole('button', { name: cancel }).click();
    await expect(page).toHaveURL(/\/callback\?error=access_denied&/);
    await requestLevelTwo(page, application);
    await submitPasswordSteps(page, verified);
    await page.getByRole('button', { name: other }).click();
    await title(page, 'Iniciá sesión');
    await submitPasswordSteps(page, verified);
    await page.getByRole('button', { name: second }).click();
    await expect(page).toHaveURL(/\/seguridad\/autenticacion-en-dos-pasos$/);
  });

  test('[LOG-09 LOG-11] offers identity check, other sign-in and cancelling to a citizen with only a second factor', async ({
    page,
    portal,
    application,
  }) => {
    const citizen = createSampleCitizen('Elsa', 'Da Silva', '18765434');
    await createAccount(portal, citizen);
    const { codes } = await addAuthenticator(portal, citizen);
    const arrive = async (code = ''): Promise<void> => {
      await submitPasswordSteps(page, citizen);
      await page.getByRole('button', { name: 'Usar un código de recuperación' }).click();
      await page.getByRole('textbox', { name: 'Código de recuperación' }).fill(code);
      await page.getByRole('button', { name: 'Continuar' }).click();
      await title(page, higher);
    };
    await requestLevelTwo(page, application);
    await arrive(codes[0]);
    expect(await buttons(page)).toEqual([identity, other, cancel]);
    await page.getByRole('button', { name: other }).click();
    await title(page, 'Iniciá sesión');
    await arrive(codes[1]);
    await page.getByRole('button', { name: cancel }).click();
    await expect(page).toHaveURL(/\/callback\?error=access_denied&/);
    await requestLevelTwo(page, application);
    await arrive(codes[2]);
    await page.getByRole('button', { name: identity }).click();
    await expect(page).toHaveURL(/\/seguridad$/);
  });

  test('[LOG-09 SES-08] is required again from a citizen who is signed in with level 1', async ({
    page,
    application,
  }) => {
    await page.goto('/login');
    await submitPasswordSteps(page, activeSampleCitizen);
    await page.getByRole('button', { name: 'Recordar más tarde' }).click();
    await expect(page.getByRole('link', { name: 'Cerrar sesión' })).toBeVisible();
    await page.goto((await application.begin({ acr_values: 'urn:iduruguay:nid:2' })).url.href);
    await title(page, 'Iniciá sesión');
    await submitPasswordSteps(page, activeSampleCitizen);
    await title(page, higher);
  });
});

test('[CONS-02 CONS-03 SES-08] the consent page is shown again only if an application requests a scope that was not granted', async ({
  page,
  application,
  portal,
}) => {
  const citizen = createSampleCitizen('Florencia', 'Giménez', '52349012');
  await createAccount(portal, citizen);
  const asked = page.getByText(/^Conocer tu\(s\) /);
  const open = async (scope: string) => {
    const request = await application.begin({ scope });
    await page.goto(request.url.href);
    return request;
  };
  const arrived = () => expect(page).toHaveURL(/\/callback\?code=/);

  const first = await open('openid personal_info');
  await submitPasswordSteps(page, citizen);
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await title(page, 'Autorización');
  await expect(asked).toHaveCount(1);
  await page.getByRole('button', { name: 'Permitir' }).click();
  await arrived();
  expect(await application.claims(first, page.url())).toMatchObject({ acr: 'urn:iduruguay:nid:1' });

  await open('openid personal_info');
  await arrived();
  await open('openid personal_info email');
  await title(page, 'Autorización');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect(page).toHaveURL(/\/callback\?error=access_denied&/);
  await open('openid personal_info');
  await arrived();
  await open('openid personal_info email');
  await page.getByRole('button', { name: 'Permitir' }).click();
  await arrived();
  for (const scope of ['openid personal_info email', 'openid email', 'openid personal_info']) {
    await open(scope);
    await arrived();
  }
});

test('[LOG-04 LOG-14 LOG-08 LOG-01] an agent confirms the institutional e-mail with a code, and an unregistered domain shows the support address', async ({
  page,
  mail,
  axe,
}) => {
  const mailbox = page.getByLabel('Correo electrónico institucional');
  await page.goto('/login?agnt=1&redirectUrl=/seguridad');
  await submitPasswordSteps(page, activeSampleCitizen);
  await title(page, 'Ingresá tu correo institucional');
  expect(await axe()).toEqual([]);
  await mailbox.fill('ana@otra.example');
  await page.getByRole('button', { name: 'Continuar' }).click();
  const summary = page.locator('.form-summary').filter({ hasText: 'no pertenece a una institución registrada' });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link', { name: 'soporte@localhost' })).toHaveAttribute(
    'href',
    'mailto:soporte@localhost',
  );
  await expect(mailbox).toHaveAccessibleDescription(/no pertenece a una institución registrada/);

  await mailbox.fill('Ana@Salud.gub.uy');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await title(page, 'Confirma tu identidad para continuar');
  const code = (await mail('ana@salud.gub.uy')).text.match(/\b[A-Z0-9]{6}\b/)?.[0] ?? '';
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(code);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page).toHaveURL(/\/seguridad$/);
});
