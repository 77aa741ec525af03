import type { Page } from '@playwright/test';
import { openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import {
  activeSampleCitizen,
  chooseForeignDocument,
  completeDocumentStep,
  signIn,
  readLocalStorage,
} from './support/registration.ts';

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

test('[LOG-01] `mensaje` is shown as plain text and can be dismissed', async ({ page }) => {
  await page.goto(`/login?mensaje=${encodeURIComponent('Tu trámite <b>12</b> te espera')}`);
  const message = page.getByRole('status').filter({ hasText: 'Tu trámite <b>12</b> te espera' });
  await expect(message).toBeVisible();
  await message.getByRole('button', { name: 'Cerrar este mensaje' }).click();
  await expect(message).toBeHidden();
  await completeDocumentStep(page, activeSampleCitizen);
  await page.getByRole('button', { name: 'Volver' }).click();
  await title(page, 'Iniciá sesión');
  await expect(message, 'the message is not shown again').toBeHidden();
});

test('[LOG-01 INI-04] `minimalista=True` hides header and footer in every step', async ({ page, axe }) => {
  const around = page.getByRole('banner').or(page.getByRole('contentinfo'));
  await page.goto('/login?minimalista=True');
  await title(page, 'Iniciá sesión');
  await expect(around).toHaveCount(0);
  expect(await axe()).toEqual([]);
  await completeDocumentStep(page, activeSampleCitizen);
  await expect(around).toHaveCount(0);
  await page.getByRole('button', { name: 'Volver' }).click();
  await chooseForeignDocument(page);
  await expect(page.getByLabel('País emisor del documento')).toBeVisible();
  await expect(around).toHaveCount(0);
});

test('[RUTA-12 LOG-01] `forceLogin=True` ends the session, empties the storage and redirects without the parameter', async ({
  page,
  context,
  portal,
}) => {
  await openSignedIn(page, portal, activeSampleCitizen, '/');
  await expect(page.getByRole('link', { name: 'Cerrar sesión' })).toBeVisible();
  const before = await context.cookies();
  const visited = new Set<string>();
  page.on('framenavigated', (frame) => void visited.add(new URL(frame.url()).pathname + new URL(frame.url()).search));
  await page.goto('/login?forceLogin=True&mensaje=Otra+vez&redirectUrl=/seguridad');
  await expect(page.getByText('Cerrando sesión')).toBeVisible();
  await title(page, 'Iniciá sesión');
  await expect(page.getByRole('status').filter({ hasText: 'Otra vez' }), 'the other parameters are kept').toBeVisible();
  expect([...visited].filter((address) => address.startsWith('/login?'))).toEqual([
    '/login?forceLogin=True&mensaje=Otra+vez&redirectUrl=/seguridad',
    expect.stringMatching(/^\/login\?mensaje=Otra\+vez&redirectUrl=/),
  ]);
  expect(await readLocalStorage(page)).toBe('{}');
  await context.addCookies(before); // restores the cookies of the ended session, which must be rejected
  expect((await page.request.get('/jwt/obtain/')).status()).toBe(401);
  await context.clearCookies();
  await signIn(page, activeSampleCitizen);
  await expect(page).toHaveURL(/\/seguridad$/);
});

test('[RUTA-12] `forceLogin=True` on another page ends the session, and the new sign-in returns to that page', async ({
  page,
  portal,
}) => {
  await openSignedIn(page, portal, activeSampleCitizen, '/ayuda?forceLogin=True&a=1');
  await title(page, 'Iniciá sesión');
  expect(await readLocalStorage(page)).toBe('{}');
  expect((await page.request.get('/jwt/obtain/')).status()).toBe(401);
  await signIn(page, activeSampleCitizen);
  await expect(page).toHaveURL(/\/ayuda\?a=1$/);
});

test('[LOG-01 LOG-11] `process_state` is sent with the sign-in, and is passed to the broker on cancellation', async ({
  page,
}) => {
  const sent: unknown[] = [];
  page.on('request', (request) => void (request.url().endsWith('/auth/login') && sent.push(request.postDataJSON())));
  await page.goto('/login?process_state=un-pedido&redirectUrl=/contacto&agnt=0');
  await completeDocumentStep(page, activeSampleCitizen);
  await page.getByRole('button', { name: 'Volver' }).click();
  const cancelled = page.waitForRequest(/\/auth\/cancel-login\?/);
  await page
    .getByRole('button', { name: 'Cancelar y volver' })
    .or(page.getByRole('link', { name: 'Cancelar y volver' }))
    .click();
  expect(new URL((await cancelled).url()).search).toBe('?process_state=un-pedido');
  expect(sent).toEqual([
    {
      challenge: 'username',
      data_challenge: { username: activeSampleCitizen.document, pais_emisor: null, tipo_documento: null },
      token: null,
      extra: { redirect_url: '/contacto', agnt: '0', process_state: 'un-pedido' },
    },
  ]);
  await expect(page, 'an unknown request leads home').toHaveURL(/\/$/);
});

test('[LOG-11] without `process_state`, only the advanced methods offer to cancel, which returns to the previous page', async ({
  page,
}) => {
  await page.goto('/login');
  await title(page, 'Iniciá sesión');
  await expect(page.getByText('Cancelar y volver')).toHaveCount(0);
  await page.goto('/registro');
  await page.goto('/login?nid=3');
  await title(page, 'Métodos de identificación avanzada');
  await page.getByRole('button', { name: 'Cancelar y volver' }).click();
  await expect(page).toHaveURL(/\/registro$/);
});

test('[LOG-01 LOG-10] `nid=3` opens the advanced methods, and without the card flag `ae=ci` opens the document step', async ({
  page,
}) => {
  await page.goto('/login?ae=ci');
  await expect(page.getByLabel('Número de cédula')).toBeVisible();
  await page.goto('/login?nid=3');
  await title(page, 'Métodos de identificación avanzada');
  await expect(page.getByText('Por ahora este portal no ofrece métodos de nivel Avanzado.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cédula de identidad electrónica' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Iniciá sesión de otra manera' }).click();
  await expect(page.getByLabel('Número de cédula')).toBeVisible();
});

test('[LOG-12] a sign-in error with a redirect is followed to a portal page, but not to another site', async ({
  page,
  baseURL,
}) => {
  let next = '';
  await page.route('**/auth/login', (route) =>
    route.fulfill({ status: 409, json: { error: 'Hay que pasar por otra página', code: 'otra_pagina', next } }),
  );
  for (const [given, leads] of [
    ['/contacto', '/contacto'],
    ['https://malo.example/', '/'],
  ] as const) {
    next = given;
    await page.goto('/login');
    await page.getByLabel('Número de cédula').fill(activeSampleCitizen.document);
    await page.getByRole('button', { name: 'Continuar' }).click();
    await expect(page, given).toHaveURL(`${baseURL ?? ''}${leads}`);
  }
});

test('[INI-09] the error page links to another sign-in method and to Contacto', async ({ page, baseURL }) => {
  for (const [way, to] of [
    ['Iniciar sesión con otro método', '/login'],
    ['Contacto', '/contacto'],
  ] as const) {
    await page.goto('/error?errorCode=IDP_ERROR');
    await title(page, 'No pudimos identificarte');
    await page.locator('main').getByText(way, { exact: true }).click();
    await expect(page, way).toHaveURL(`${baseURL ?? ''}${to}`);
  }
});
