import type { Page } from '@playwright/test';
import { expect, test } from './support/application.ts';
import { createAbitabEntry, createBrazilEntry, writeProvidersFile } from '../server/support/test-issuer.ts';
import { activeSampleCitizen, completeDocumentStep } from './support/registration.ts';

const providers = writeProvidersFile([
  createAbitabEntry('http://127.0.0.1:9', { nivel_seguridad: 'avanzado' }),
  createBrazilEntry('http://127.0.0.1:9', { nivel_seguridad: 'basico', descripcion: 'Con tu cuenta de Brasil.' }),
]);

test.use({ settings: { FLAGS: 'ci_electronica=on', IDPS_FILE: providers } });

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const choice = '¿Cómo querés identificarte?';

test('[LOG-02 LOG-01 LOG-10] the choice of sign-in methods lists card and providers with description and level, below the message', async ({
  page,
  axe,
}) => {
  await page.goto('/login?mensaje=Hola');
  const methods = page.getByRole('list').filter({ has: page.getByRole('button', { name: /^Usuario digital/ }) });
  await expect(methods.getByRole('button')).toHaveCount(4);
  await expect(methods.getByRole('button', { name: 'Cédula de identidad electrónica' })).toBeVisible();
  await expect(methods.getByRole('button', { name: /^Identidad Abitab/ })).toContainText('Con tu celular y tu PIN.');
  await expect(methods.getByRole('button', { name: /^Identidad Abitab/ })).toContainText('Avanzado');
  await expect(methods.getByRole('button', { name: /^gov\.br/ })).toContainText('Básico o intermedio');
  expect(await axe()).toEqual([]);
  const message = page.getByRole('status').filter({ hasText: 'Hola' });
  await message.getByRole('button', { name: 'Cerrar este mensaje' }).click();
  await expect(message).toBeHidden();
});

test('[LOG-13] an identity provider is opened with its id and the process state after a return from the own account', async ({
  page,
  application,
}) => {
  const state = await application.processState(page);
  await page.getByRole('button', { name: /^Usuario digital/ }).click();
  await completeDocumentStep(page, activeSampleCitizen);
  await page.getByRole('button', { name: 'Volver' }).click();
  await page.getByText('Otras formas de entrar').click();
  await page.getByText('Elegir otro método').click();
  const left = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url().includes('/auth/idp-login'),
  );
  await page.getByRole('button', { name: /^Identidad Abitab/ }).click();
  expect(new URL((await left).url()).search).toBe(`?idp=abitab&process_state=${state}`);
});

test('[LOG-05] each sign-in step names the registered application, and the password step names the document', async ({
  page,
  application,
  axe,
}) => {
  await application.processState(page);
  const waits = page.getByText(`Para continuar en ${application.name}`, { exact: true });
  await expect(waits).toBeVisible();
  await page.getByRole('button', { name: /^Usuario digital/ }).click();
  await expect(waits).toBeVisible();
  await completeDocumentStep(page, activeSampleCitizen);
  await expect(waits).toBeVisible();
  await expect(page.getByText('Documento: 4.512.378-4.')).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Cambiar', exact: true }).click();
  await expect(page.getByLabel('Número de cédula')).toHaveValue(activeSampleCitizen.document);
  await page.goto('/login?aplicacion=Banco&application=Banco');
  await title(page, choice);
  await expect(page.getByText('Para continuar en')).toHaveCount(0);
});

test('[LOG-10 LOG-01] `ae=ci` opens the instructions for the identity card, with a link to other sign-in methods', async ({
  page,
  axe,
}) => {
  await page.goto('/login?ae=ci');
  await title(page, 'Iniciá sesión con tu cédula de identidad');
  await expect(page.getByText('instalá el complemento que lee la cédula')).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Iniciá sesión de otra manera' }).click();
  await expect(page.getByLabel('Número de cédula')).toBeVisible();
});

test('[LOG-10 LOG-01] `nid=3` opens the advanced methods, which link to the card and to the providers', async ({
  page,
  axe,
  application,
}) => {
  const state = await application.processState(page);
  await page.goto(`/login?nid=3&process_state=${state}`);
  await title(page, 'Métodos de identificación avanzada');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Cédula de identidad electrónica' }).click();
  await title(page, 'Iniciá sesión con tu cédula de identidad');
  await page.goBack();
  await title(page, 'Métodos de identificación avanzada');
  await page.getByRole('button', { name: 'Elegir un proveedor de identidad' }).click();
  await title(page, choice);
  await page.getByRole('button', { name: 'Cancelar y volver' }).click();
  await expect(page).toHaveURL(/\/callback\?error=access_denied&/);
});

test('[SES-10 LOG-10] /auth/login-con-ci opens the instructions for the identity card', async ({
  page,
  application,
}) => {
  await page.goto(`/auth/login-con-ci?process_state=${await application.processState(page)}`);
  await title(page, 'Iniciá sesión con tu cédula de identidad');
});

test('[INI-10] a failed mobile identity shows its cause, checks the request again and returns to the same request', async ({
  page,
  application,
}) => {
  const state = await application.processState(page);
  await page.goto(`/error?errorCode=IDP_ERROR&process_state=${state}&error_description=PlanTimedOut`);
  await title(page, 'Estado de tu identidad móvil');
  await expect(page.getByText('El pedido venció antes de que lo confirmaras en tu celular.')).toBeVisible();
  const asked = page.waitForRequest(`**/rest/idps/?process_state=${state}`);
  await page.getByRole('button', { name: 'Consultar estado' }).click();
  await asked;
  await expect(page.getByRole('status').filter({ hasText: 'Tu inicio de sesión sigue abierto' })).toBeVisible();
  await page.route(/\/rest\/idps\//, (route) =>
    route.fulfill({ status: 410, json: { error: 'Terminó', code: 'solicitud_terminada' } }),
  );
  await page.getByRole('button', { name: 'Consultar estado' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Ese inicio de sesión ya terminó.' })).toBeVisible();
  await page.unroute(/\/rest\/idps\//);
  await page.getByRole('button', { name: 'Volver a iniciar sesión' }).click();
  await title(page, choice);
  await page.getByRole('button', { name: 'Cancelar y volver' }).click();
  await expect(page, 'returns to the same request').toHaveURL(/\/callback\?error=access_denied&/);
});
