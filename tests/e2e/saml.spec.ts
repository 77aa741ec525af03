import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelyingParty } from '../../src/cli/demo/relying-party.ts';
import { serviceProviderMetadata, startServiceProvider } from '../../src/cli/demo/service-provider.ts';
import { newCredential } from '../../src/server/trust/federation/saml/own-certificate.ts';
import { freePort } from '../server/support/free-port.ts';
import { accessibilityProblems } from './support/axe.ts';
import { expect, test as base } from './support/fixtures.ts';
import { startPortal, type Portal } from './support/portal.ts';
import { activeCitizen, giveDocument } from './support/registration.ts';

/** A portal with two service providers of SAML and one application of OpenID Connect, each on an off-the-shelf library. */
const test = base.extend<object, { round: { portal: Portal; one: string; two: string; application: string } }>({
  round: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'saml-'));
      const origin = async () => `http://127.0.0.1:${await freePort()}`;
      const [one, two, application] = [await origin(), await origin(), await origin()];
      const credential = await newCredential('sp');
      const clients = [
        {
          id: 'app',
          name: 'Trámites',
          redirectUris: [`${application}/callback`],
          postLogoutRedirectUris: [`${application}/`],
        },
      ];
      const providers = await Promise.all(
        [one, two].map(async (own, index) => {
          await writeFile(join(folder, `${index}.xml`), serviceProviderMetadata({ origin: own, credential }));
          return {
            id: `sp${index}`,
            name: `Servicio ${index}`,
            scopes: ['personal_info', 'auth_info'],
            metadata: `${index}.xml`,
          };
        }),
      );
      const [samlFile, clientsFile] = [join(folder, 'saml.json'), join(folder, 'clients.json')];
      await writeFile(samlFile, JSON.stringify(providers));
      await writeFile(clientsFile, JSON.stringify(clients));
      const portal = await startPortal(undefined, { SAML_FILE: samlFile, CLIENTS_FILE: clientsFile });
      const running = [
        await startServiceProvider({ issuer: portal.url, origin: one, credential }),
        await startServiceProvider({ issuer: portal.url, origin: two, credential }),
        await startRelyingParty({ issuer: portal.url, origin: application, clientId: 'app' }),
      ];
      await use({ portal, one, two, application });
      for (const { close } of running) await close();
      await portal.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('[SES-05 SES-06 SES-09 FED-05] one sign-in serves two service providers and an application, and one logout ends them all', async ({
  page,
  round,
}) => {
  test.setTimeout(120_000);
  const { portal, one, two, application } = round;
  await page.goto(`${one}/login`);
  await expect(page).toHaveURL(new RegExp(`^${portal.url}/login`));
  await giveDocument(page, activeCitizen);
  await page.getByLabel('Contraseña', { exact: true }).fill(activeCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page).toHaveURL(`${one}/`);
  await expect(page.locator('#attributes')).toContainText('"uid": "uy-ci-45123784"');

  await page.goto(`${two}/login`);
  await expect(page, 'nobody is asked again').toHaveURL(`${two}/`);
  await page.goto(`${application}/login`);
  await expect(page).toHaveURL(new RegExp('/autorizacion'));
  await page.getByRole('button', { name: 'Permitir' }).click();
  await expect(page).toHaveURL(`${application}/`);

  await page.goto(`${one}/`);
  await page.getByRole('link', { name: 'Sign out' }).click();
  await expect(page.getByText('Cerrando sesión')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await expect(page).toHaveURL(`${one}/`, { timeout: 20_000 });
  await expect(page.getByText('Nobody is signed in.')).toBeVisible();
  await page.goto(two);
  await expect(page.getByText('Nobody is signed in.')).toBeVisible();
  await page.goto(`${one}/login`);
  await giveDocument(page, activeCitizen); // at the first try, though the page still holds the token of before
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeVisible();
  await page.goto(`${application}/login`);
  await expect(page, 'a sign-in is asked for').toHaveURL(new RegExp(`^${portal.url}/login`));
});

test('[SES-05] an unknown logout is an error, also one that demands a new sign-in', async ({
  page,
  round,
  allowProblem,
}) => {
  allowProblem(/404/);
  await page.goto(`${round.portal.url}/logout-saml?process_state=inventado`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Uy! Algo salió mal');
  await page.goto(`${round.portal.url}/logout-saml?process_state=inventado&forceLogin=True`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Uy! Algo salió mal');
});
