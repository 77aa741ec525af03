import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileChooser, Page } from '@playwright/test';
import { issuePerson, issueRoot, encodePem, type IssuedCertificate } from '../server/support/certificates.ts';
import { signPdf } from '../server/support/sign-pdf.ts';
import { signCms } from '../server/support/sign-statement.ts';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, withOwnPortal } from './support/fixtures.ts';
import { startPortal } from './support/portal.ts';
import { createForeigner, readLocalStorage, type Person } from './support/registration.ts';
import { setUpApp } from './support/second-factor.ts';

/** Test with a portal that trusts a test authority. */
const test = withOwnPortal(async () => {
  const authority = await issueRoot(new Date());
  const folder = await mkdtemp(join(tmpdir(), 'authority-'));
  const roots = join(folder, 'roots.pem');
  await writeFile(roots, encodePem(authority));
  const portal = await startPortal({ SIGNATURE_ROOTS: roots });
  return { authority, portal, close: () => rm(folder, { recursive: true, force: true }) };
});

const title = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const issueCertificate = ({ document }: Person, authority: IssuedCertificate) =>
  issuePerson(new Date(), authority, `DNI${document}`, { subject: `CN=Persona, 2.5.4.5=DNI${document}, C=AR` });

/** Downloads the file of a link. */
async function download(page: Page, name: RegExp): Promise<{ name: string; bytes: Buffer }> {
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  const file = await saved;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

async function upload(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Archivo firmado').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await expect(page.getByText(`Archivo elegido: ${name}`)).toBeVisible();
  await press(page, 'Enviar archivo firmado');
}

test('[SEG-09 SEG-06] [SEG+FIRMA] a signed PDF raises the level, after unsigned, foreign, oversized and unreadable files were rejected', async ({
  page,
  portal,
  mail,
  own: { authority },
}) => {
  test.setTimeout(150_000);
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person, '/seguridad/firma-digital');
  await title(page, 'Subí tu nivel con firma digital');
  await expectAccessible(page);
  await press(page, 'Firma digital');
  await title(page, 'Firmá tu declaración');
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/seguridad/firma-digital/firmar');
  await expectAccessible(page);

  const statement = await download(page, /^Descargar/);
  expect([statement.name, statement.bytes.toString('latin1', 0, 5)]).toEqual([
    'declaracion-firma-digital.pdf',
    '%PDF-',
  ]);
  expect(statement.bytes.toString('latin1')).toContain(person.document);

  await page
    .getByLabel('Archivo firmado')
    .setInputFiles({ name: 'enorme.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
  await expect(page.getByText('El archivo es demasiado grande: puede tener hasta 2 MB.')).toBeVisible();
  await upload(page, 'sin-firmar.pdf', statement.bytes);
  await expect(
    page.locator('[role=alert], [role=group]').filter({ hasText: 'El archivo no está firmado.' }).first(),
  ).toBeVisible();
  const other = createForeigner();
  await upload(page, 'ajena.p7m', await signCms(statement.bytes, [await issueCertificate(other, authority)]));
  await expect(
    page.getByText('El documento del certificado no es el de tu cuenta. Firmá con tu certificado.').first(),
  ).toBeVisible();
  await upload(page, 'grande.p7m', Buffer.alloc(2 * 1024 * 1024, 'x'));
  await expect(page.getByText('No pudimos leer una firma en ese archivo.').first()).toBeVisible();
  await expectAccessible(page);

  await page.reload();
  await title(page, 'Firmá tu declaración');
  expect((await download(page, /^Descargar/)).bytes).toEqual(statement.bytes);
  const signed = await signPdf(statement.bytes, await issueCertificate(person, authority));
  await upload(page, 'firmada.pdf', signed);
  await title(page, 'Tu cuenta ya tiene nivel Intermedio');
  expect(new URL(page.url()).pathname).toBe('/seguridad/firma-digital/exito');
  await expectAccessible(page);
  expect((await mail(person.email, 2)).subject).toBe('Tu cuenta de Usuario digital pasó a nivel Intermedio');
  expect(await readLocalStorage(page)).not.toContain('base64');

  await page.getByRole('link', { name: 'Ver el documento firmado' }).click();
  await title(page, 'Activá el doble factor de autenticación'); // the new level requires a second factor
  await setUpApp(page);
  await title(page, 'Tu documento firmado');
  await expectAccessible(page);
  const kept = await download(page, /^Descargar/);
  expect([kept.name, kept.bytes]).toEqual(['declaracion-firmada.pdf', signed]);
  await press(page, 'Volver a Seguridad');
  await expect(page.getByText('Nivel Intermedio').first()).toBeVisible();
  await page.goto('/seguridad/firma-digital');
  await press(page, 'Firma digital');
  await title(page, 'Ups, ocurrió un problema...');
  await expect(page.getByText('Tu cuenta ya tiene nivel Intermedio.')).toBeVisible();
});

test('[SEG-09 MFA-05] [SEG+FIRMA] a CMS signature can be uploaded with the keyboard, and its success page links to the second factor', async ({
  page,
  portal,
  own: { authority },
}) => {
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person, '/seguridad/firma-digital');
  await title(page, 'Subí tu nivel con firma digital');
  await page.getByRole('button', { name: 'Firma digital', exact: true }).focus();
  await page.keyboard.press('Enter');
  await title(page, 'Firmá tu declaración');
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Descargar/ }).focus();
  await page.keyboard.press('Enter');
  const statement = await readFile(await (await saved).path());
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Archivo firmado')).toBeFocused();
  const chooser = await pressUntilChooser(page);
  await chooser.setFiles({
    name: 'firma.p7s',
    mimeType: 'application/pkcs7-signature',
    buffer: await signCms(statement, [await issueCertificate(person, authority)]),
  });
  await expect(page.getByText('Archivo elegido: firma.p7s')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Volver' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Enviar archivo firmado' })).toBeFocused();
  await page.keyboard.press('Enter');
  await title(page, 'Tu cuenta ya tiene nivel Intermedio');
  await press(page, 'Configurar doble factor de autenticación');
  await title(page, 'Doble factor de autenticación');
  await page.goto('/seguridad/firma-digital/documento');
  await setUpApp(page);
  await expect(page.getByRole('link', { name: /^Descargar declaracion-firmada\.p7m/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Descargar declaracion-firma-digital\.pdf/ })).toBeVisible();
});

test('[SEG-09] [SEG+FIRMA] a phone shows a dialog that a computer is needed', async ({ browser, portal, baseURL }) => {
  const person = createForeigner();
  await createAccount(portal, person);
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
    viewport: { width: 390, height: 800 },
  });
  const page = await context.newPage();
  await openSignedIn(page, portal, person, '/seguridad/firma-digital');
  await press(page, 'Firma digital');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Necesitás una computadora' })).toBeVisible();
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, 'dialog-390.png') });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await title(page, 'Subí tu nivel con firma digital');
  await context.close();
});

test('[SEG-09] [SEG+FIRMA] an unknown or missing signature request can be restarted, and a platform failure is reported', async ({
  page,
  portal,
  allowProblem,
}) => {
  allowProblem(/the server responded with a status of 500/);
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person, '/seguridad/firma-digital/firmar');
  await title(page, 'Subí tu nivel con firma digital');
  await page.goto('/seguridad/firma-digital/firmar?uuid=c29tZWJvZHkgZWxzZQ');
  await title(page, 'Ups, ocurrió un problema...');
  await expect(page.getByText('El pedido de firma venció o ya se usó.')).toBeVisible();
  await press(page, 'Empezar de nuevo');
  await title(page, 'Subí tu nivel con firma digital');
  await page.route('**/acceso/dss/request', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }),
  );
  await press(page, 'Firma digital');
  await expect(
    page.getByText('Ha ocurrido un error con la plataforma de Firma Digital. Por favor, inténtelo más tarde.'),
  ).toBeVisible();
  await page.goto('/seguridad/firma-digital/exito');
  await title(page, 'Subí tu nivel con firma digital');
});

/** Presses a button, and again if no file dialog opens, because the browser may still be busy with the download. */
async function pressUntilChooser(page: Page): Promise<FileChooser> {
  let opened: FileChooser | null = null;
  await expect(async () => {
    const chooser = page.waitForEvent('filechooser', { timeout: 3_000 });
    await page.keyboard.press('Enter');
    opened = await chooser;
  }).toPass();
  if (opened === null) throw new Error('No file dialog opened.');
  return opened;
}
