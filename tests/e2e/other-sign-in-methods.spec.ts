import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCardAuthority, createSampleSignerCertificate } from '../../src/demo/sample-card-authority.ts';
import {
  answerPresentationLink,
  issueSampleCredential,
  createSampleCredentialIssuer,
  createSampleSigningKey,
} from '../../src/demo/sample-wallet.ts';
import {
  buildIdentityProviderMetadata,
  buildIdentityProviderEntries,
  startIdentityProviders,
} from '../../src/demo/sample-identity-providers.ts';
import { generateSamlCredential } from '../../src/server/trust/federation/saml/open-saml.ts';
import { findFreePort } from '../server/support/free-port.ts';
import { confirmByPassword, signInAtDesk } from './support/agents.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, withOwnPortal } from './support/fixtures.ts';
import { startPortal } from './support/portal.ts';
import { activeSampleCitizen, dropSession } from './support/registration.ts';

/**
 * Test with a portal that trusts a card authority and a credential issuer, and has a foreign OpenID provider and a
 * national SAML provider.
 */
const test = withOwnPortal(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'means-'));
  const file = (name: string) => join(folder, name);
  const { document } = activeSampleCitizen;

  const cardPort = await findFreePort();
  const { settings, ...authority } = await createCardAuthority(folder, { document, host: '127.0.0.1' });
  const cards = { ...authority, origin: `https://127.0.0.1:${cardPort}` };

  const issuer = await createSampleCredentialIssuer({
    issuer: 'https://emisor.example',
    level: 3,
    types: ['urn:eudi:pid:1'],
  });
  const holder = await createSampleSigningKey();
  await writeFile(file('issuers.json'), JSON.stringify([issuer.entry]));
  await writeFile(file('signer.pem'), await createSampleSignerCertificate());

  const origin = `http://127.0.0.1:${await findFreePort()}`; // a cross-site address: the browser sends no SameSite cookie with its form
  const credential = await generateSamlCredential('idp');
  await writeFile(file('metadata.xml'), buildIdentityProviderMetadata({ origin, credential }));
  await writeFile(file('providers.json'), JSON.stringify(buildIdentityProviderEntries(origin, 'metadata.xml')));

  const portal = await startPortal({
    ...settings,
    FLAGS: 'ci_electronica=on',
    CARD_URL: cards.origin,
    CARD_PORT: String(cardPort),
    WALLET_ISSUERS: file('issuers.json'),
    WALLET_SIGNER: file('signer.pem'),
    IDPS_FILE: file('providers.json'),
  });
  const providers = await startIdentityProviders({ portal: portal.url, origin, credential });
  const holding = { credential: await issueSampleCredential(issuer, { number: document, holder }), holder };
  const close = async () => {
    await providers.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { cards, holding, portal, close };
});

test('[SES-11 FED-04 FED-08 IDP-01] a gov.br citizen gets a page in Portuguese, and a national identity is linked after a question and unlinked', async ({
  page,
  axe,
  mail,
  allowProblem,
}) => {
  allowProblem(/404/);
  await page.goto('/login');
  await page.getByRole('button', { name: /gov\.br/ }).click();
  await page.getByRole('link', { name: /João Souza/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você se identificou com gov.br');
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt');
  await expect(page.getByText('12345678909')).toBeVisible();
  await page.goto('/seguridad');
  await expect(page, 'redirected to the page without account management').toHaveURL(/\/seguridad-idp/);
  await dropSession(page);

  await page.goto('/login?redirectUrl=/seguridad');
  await page.getByRole('button', { name: /Identidad Abitab/ }).click();
  await page.getByRole('link', { name: 'Ana Lucía Pereira' }).click();
  await page.getByRole('button', { name: 'Continuar como Ana Lucía Pereira' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('¿Vincular Identidad Abitab con tu cuenta?');
  await expect(page.getByText('45123784')).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Vincular e iniciar sesión' }).click();
  await expect(page).toHaveURL(/\/configurar-segundo-factor/);
  expect((await mail('ana.pereira@example.com')).subject).toContain('Se vinculó Identidad Abitab');
  await page.goto('/seguridad');
  await page.getByRole('button', { name: 'Desvincular Identidad Abitab' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Desvincular' }).click();
  await expect(page.getByText('Tu cuenta ya no está vinculada con ese proveedor.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Otras formas de iniciar sesión' })).toBeHidden();
  expect(await axe()).toEqual([]);
});

test('[FED-02 DESK-06] the desk finds a gov.br citizen by identifier or document, and blocks and unblocks that citizen', async ({
  page,
  axe,
  mail,
}) => {
  const comes = async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: /gov\.br/ }).click();
    await page.getByRole('link', { name: /João Souza/ }).click();
  };
  const act = async (name: RegExp, isFirst = false) => {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Motivo').fill('Pedido del juzgado.');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Confirmar' }).click();
    if (isFirst) await confirmByPassword(page);
    await expect(page.getByText('Listo. Quedó en la auditoría, con tu nombre.')).toBeVisible();
  };
  const search = async (text: string) => {
    await page.getByLabel('Documento, correo o identificador').fill(text);
    await page.keyboard.press('Enter');
  };
  await comes();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você se identificou com gov.br');
  await dropSession(page);
  const chosen = page.getByRole('button', { name: /^Usuario digital/ }); // chooses a method first, because the sign-in begins with a choice if there are identity providers
  await page.addLocatorHandler(chosen, (button) => button.click());
  await signInAtDesk(page, mail);
  await page.removeLocatorHandler(chosen);
  await page.getByRole('link', { name: 'Cuentas' }).click();
  await page.setViewportSize({ width: 360, height: 800 });
  await search('br:nadie');
  await expect(page.getByText(/Nadie tiene una cuenta con ese documento o ese correo, ni entró/)).toBeVisible();
  expect(await axe()).toEqual([]);
  await search('br:joao');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quien entra con otro proveedor');
  await expect(page.getByRole('article')).toContainText(/gov\.br.*joao.*Brasil.*cpf 12345678909 \(BR\)/);
  expect(await axe()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await act(/^Bloquear: João Souza/, true);
  await expect(page.getByRole('article')).toContainText(/Bloqueada.*Sesiones abiertas0/);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Buscar otra' }).click();
  await search('br-cpf-123.456.789-09');
  await act(/^Desbloquear: João Souza/);
  await expect(page.getByRole('article')).toContainText('Activa');
});

test('[LOG-10 FED-06 FED-08] an identity card signs its citizen in, and a revoked card shows an error page with a link to try again', async ({
  browser,
  portal,
  own: { cards },
}) => {
  const { origin, good, revoked } = cards;
  const open = async ({ certificate, key }: typeof good) => {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      clientCertificates: [{ origin, cert: Buffer.from(certificate), key: Buffer.from(key) }],
    });
    const page = await context.newPage();
    await page.goto(`${portal.url}/auth/login-con-ci`);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continuar con la cédula' }).click();
    return page;
  };
  const ana = await open(good);
  await expect(ana).not.toHaveURL(/tarjeta|login/);
  await ana.goto(`${portal.url}/seguridad`);
  await expect(ana.getByText('Ana Lucía Pereira Sosa').first()).toBeVisible();
  await ana.context().close();

  const other = await open(revoked);
  await expect(other.getByRole('heading', { name: 'No pudimos identificarte con la cédula' })).toBeVisible();
  await expect(other.getByText('fue revocado')).toBeVisible();
  expect(await findAccessibilityProblems(other)).toEqual([]);
  await other.getByRole('link', { name: 'Probar de nuevo' }).click();
  await expect(other.getByRole('heading', { name: 'Iniciá sesión con tu cédula de identidad' })).toBeVisible();
  await other.context().close();
});

test('[LOG-15 FED-07 FED-08] a wallet signs in with the QR code on the screen, or with the link on its own device', async ({
  page,
  axe,
  own: { holding },
}) => {
  const begin = async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth/login'));
    await page.getByRole('button', { name: 'Iniciar sesión con billetera digital' }).click();
    await expect(page.getByRole('heading', { name: 'Identificate con tu billetera digital' })).toBeVisible();
    return (await (await answered).json()).options;
  };
  await page.goto('/login');
  await expect(page.getByRole('button', { name: /^Usuario digital/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Iniciar sesión con billetera digital' })).toHaveCount(0);

  await page.goto('/login?useId4Verification=True&redirectUrl=/seguridad');
  const { elsewhere } = await begin();
  await expect(page.getByRole('img', { name: 'Código QR del pedido a tu billetera' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Esperando a tu billetera' })).toBeVisible();
  expect(await axe()).toEqual([]);
  expect(await answerPresentationLink(elsewhere, holding)).toEqual({});
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Identificate con tu billetera digital');
  await page.goto('/seguridad');
  await expect(page.getByText('Ana Lucía Pereira Sosa').first()).toBeVisible();

  await dropSession(page);
  await page.goto('/login?useId4Verification=True');
  await begin();
  const link = await page.getByRole('link', { name: 'Abrir la billetera en este dispositivo' }).getAttribute('href');
  const { redirect_uri: back = '' } = await answerPresentationLink(link ?? '', holding);
  await page.goto(back);
  await expect(page).not.toHaveURL(/billetera|login/);
  await page.goto('/seguridad');
  await expect(page.getByText('Ana Lucía Pereira Sosa').first()).toBeVisible();
});
