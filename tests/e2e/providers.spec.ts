import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  identityProviderMetadata,
  providerEntries,
  startIdentityProviders,
} from '../../src/cli/demo/identity-provider.ts';
import { newCredential } from '../../src/server/trust/federation/saml/own-certificate.ts';
import { freePort } from '../server/support/free-port.ts';
import { signInAtDesk } from './support/agents.ts';
import { expect, test as base } from './support/fixtures.ts';
import { startPortal } from './support/portal.ts';

/** A portal with a foreign provider of OpenID Connect and a national one of SAML. */
const test = base.extend<object, object>({
  portal: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'idp-'));
      const origin = `http://127.0.0.1:${await freePort()}`; // another site than the portal's: its form brings no cookie along
      const credential = await newCredential('idp');
      const file = join(folder, 'providers.json');
      await writeFile(join(folder, 'metadata.xml'), identityProviderMetadata({ origin, credential }));
      await writeFile(file, JSON.stringify(providerEntries(origin, 'metadata.xml')));
      const portal = await startPortal(undefined, { IDPS_FILE: file });
      const providers = await startIdentityProviders({ portal: portal.url, origin, credential });
      await use(portal);
      await providers.close();
      await portal.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('[SES-11 FED-04 FED-08 IDP-01] who comes from Brazil reads Portuguese on a page of the own; who comes from a national provider is asked, linked, and takes it back', async ({
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
  await expect(page, 'manages nothing').toHaveURL(/\/seguridad-idp/);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());

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

test('[FED-02 DESK-06] who came from Brazil is found at the desk by the id there or by document, blocked and freed', async ({
  page,
  axe,
  mail,
  context,
}) => {
  const comes = async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: /gov\.br/ }).click();
    await page.getByRole('link', { name: /João Souza/ }).click();
  };
  const act = async (name: RegExp) => {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Motivo').fill('Pedido del juzgado.');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await expect(page.getByText('Listo. Quedó en la auditoría, con tu nombre.')).toBeVisible();
  };
  const search = async (text: string) => {
    await page.getByLabel('Documento o identificador').fill(text);
    await page.keyboard.press('Enter');
  };
  await comes();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você se identificou com gov.br');
  await context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  const chosen = page.getByRole('button', { name: /^Usuario digital/ }); // where there are providers one chooses first
  await page.addLocatorHandler(chosen, (button) => button.click());
  await signInAtDesk(page, mail);
  await page.removeLocatorHandler(chosen);
  await page.getByRole('link', { name: 'Cuentas' }).click();
  await page.setViewportSize({ width: 360, height: 800 });
  await search('br:nadie');
  await expect(page.getByText(/Nadie tiene una cuenta con ese documento, ni entró/)).toBeVisible();
  expect(await axe()).toEqual([]);
  await search('br:joao');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quien entra con otro proveedor');
  await expect(page.getByRole('article')).toContainText(/gov\.br.*joao.*Brasil.*cpf 12345678909 \(BR\)/);
  expect(await axe()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await act(/^Bloquear: João Souza/);
  await expect(page.getByRole('article')).toContainText(/Bloqueada.*Sesiones abiertas0/);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Buscar otra' }).click();
  await search('br-cpf-123.456.789-09');
  await act(/^Desbloquear: João Souza/);
  await expect(page.getByRole('article')).toContainText('Activa');
});
