import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelyingParty } from '../../src/cli/demo/relying-party.ts';
import { freePort } from '../server/support/free-port.ts';
import { accessibilityProblems } from './support/axe.ts';
import { expect, test as base } from './support/fixtures.ts';
import { startPortal, type Portal } from './support/portal.ts';
import { activeCitizen, giveDocument } from './support/registration.ts';

/** A portal that knows an application, and that application on an off-the-shelf library. */
const test = base.extend<object, { round: { portal: Portal; application: string } }>({
  round: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const application = `http://127.0.0.1:${await freePort()}`;
      const folder = await mkdtemp(join(tmpdir(), 'clients-'));
      const clients = join(folder, 'clients.json');
      await writeFile(
        clients,
        JSON.stringify([
          {
            id: 'app',
            name: 'Trámites de prueba',
            redirectUris: [`${application}/callback`],
            postLogoutRedirectUris: [`${application}/`],
            backchannelLogoutUri: `${application}/backchannel-logout`,
            frontchannelLogoutUri: `${application}/frontchannel-logout`,
          },
        ]),
      );
      const portal = await startPortal(undefined, { CLIENTS_FILE: clients });
      const relyingParty = await startRelyingParty({ issuer: portal.url, origin: application, clientId: 'app' });
      await use({ portal, application });
      await relyingParty.close();
      await portal.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('[SES-08 CONS-01 CONS-02 CONS-03 LOG-11 SES-04] an application sends a citizen to sign in, to consent, and hears of the logout', async ({
  page,
  round,
}) => {
  test.setTimeout(120_000);
  const { portal, application } = round;
  await page.goto(`${application}/login`);
  await expect(page).toHaveURL(new RegExp(`^${portal.url}/login`));
  await page.getByText(/^Cancelar/).click();
  await expect(page.locator('#error')).toHaveText('access_denied');

  await page.goto(`${application}/login`);
  await giveDocument(page, activeCitizen);
  await page.getByLabel('Contraseña', { exact: true }).fill(activeCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page.getByRole('heading', { name: 'Autorización' })).toBeVisible();
  await expect(page.locator('main')).toContainText('Trámites de prueba');
  await expect(page.getByText(/^Conocer tu\(s\) /).first()).toBeVisible();
  await expect(page.locator('main')).toContainText('18.331');
  expect(await accessibilityProblems(page)).toEqual([]);
  // A request that has expired on the screen.
  await page.route('**/oidc/v1/consent', (route) =>
    route.continue({ postData: { ...(route.request().postDataJSON() as object), next: 'expired' } }),
  );
  await page.getByRole('button', { name: 'Permitir' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Uy! Algo salió mal' })).toBeVisible();
  await page.unroute('**/oidc/v1/consent');
  await page.goto(`${application}/login`);
  await page.getByRole('button', { name: 'Permitir' }).click();
  await expect(page.locator('#claims')).toContainText('uy-ci-45123784');

  await page.goto(`${application}/login`);
  await expect(page.locator('#claims'), 'single sign-on asks nothing again').toBeVisible();

  await page.goto(`${portal.url}/logout-process`);
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();
  await page.goto(application);
  await expect(page.getByText('Nobody is signed in')).toBeVisible();
});
