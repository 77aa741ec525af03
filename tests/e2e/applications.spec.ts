import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startRelyingParty,
  buildServiceProviderMetadata,
  startServiceProvider,
} from '../../src/demo/sample-applications.ts';
import { generateSamlCredential } from '../../src/server/trust/federation/saml/open-saml.ts';
import { findFreePort } from '../server/support/free-port.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, withOwnPortal } from './support/fixtures.ts';
import { startPortal } from './support/portal.ts';
import { activeSampleCitizen, completeDocumentStep, signIn } from './support/registration.ts';

/** A portal with two SAML service providers and two OpenID Connect applications, each built with an off-the-shelf library. */
const test = withOwnPortal(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'saml-'));
  const origin = async () => `http://127.0.0.1:${await findFreePort()}`;
  const [one, two, application, other] = [await origin(), await origin(), await origin(), await origin()];
  const credential = await generateSamlCredential('sp');
  const clients = [
    { id: 'app', origin: application },
    { id: 'other', origin: other },
  ].map(({ id, origin }) => ({
    id,
    name: 'Trámites de prueba',
    redirectUris: [`${origin}/callback`],
    scopes: ['personal_info', 'profile', 'document', 'email', 'auth_info', 'offline_access'],
    postLogoutRedirectUris: [`${origin}/`],
    backchannelLogoutUri: `${origin}/backchannel-logout`,
    frontchannelLogoutUri: `${origin}/frontchannel-logout`,
  }));
  const providers = await Promise.all(
    [one, two].map(async (own, index) => {
      await writeFile(join(folder, `${index}.xml`), buildServiceProviderMetadata({ origin: own, credential }));
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
  const portal = await startPortal({
    SAML_FILE: samlFile,
    CLIENTS_FILE: clientsFile,
    FLAGS: 'saml_index=on',
  });
  const running = [
    await startServiceProvider({ issuer: portal.url, origin: one, credential }),
    await startServiceProvider({ issuer: portal.url, origin: two, credential }),
    await startRelyingParty({ issuer: portal.url, origin: application, clientId: 'app' }),
    await startRelyingParty({ issuer: portal.url, origin: other, clientId: 'other' }),
  ];
  const close = async () => {
    for (const one of running) await one.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { one, two, application, other, portal, close };
});

test('[SES-05 SES-06 SES-09 FED-05] one sign-in serves two service providers and an application, and one logout ends them all', async ({
  page,
  own: round,
}) => {
  test.setTimeout(120_000);
  const { portal, one, two, application } = round;
  await page.goto(`${one}/login`);
  await expect(page).toHaveURL(new RegExp(`^${portal.url}/login`));
  await completeDocumentStep(page, activeSampleCitizen);
  await page.getByLabel('Contraseña', { exact: true }).fill(activeSampleCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page).toHaveURL(`${one}/`);
  await expect(page.locator('#attributes')).toContainText('"uid": "uy-ci-45123784"');

  await page.goto(`${two}/login`);
  await expect(page, 'the second application asks for no sign-in').toHaveURL(`${two}/`);
  await page.goto(`${application}/login`);
  await expect(page).toHaveURL(new RegExp('/autorizacion'));
  await page.getByRole('button', { name: 'Permitir' }).click();
  await expect(page).toHaveURL(`${application}/`);

  await page.goto(`${one}/`);
  await page.getByRole('link', { name: 'Sign out' }).click();
  await expect(page.getByText('Cerrando sesión')).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await expect(page).toHaveURL(`${one}/`, { timeout: 20_000 });
  await expect(page.getByText('Nobody is signed in.')).toBeVisible();
  await page.goto(two);
  await expect(page.getByText('Nobody is signed in.')).toBeVisible();
  await page.goto(`${one}/login`);
  await completeDocumentStep(page, activeSampleCitizen); // this sign-in must succeed immediately, although the page still has the previous token
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeVisible();
  await page.goto(`${application}/login`);
  await expect(page, 'redirected to the sign-in').toHaveURL(new RegExp(`^${portal.url}/login`));
});

test('[SES-05] an unknown logout shows an error page, even with `forceLogin`', async ({
  page,
  own: round,
  allowProblem,
}) => {
  allowProblem(/404/);
  await page.goto(`${round.portal.url}/logout-saml?process_state=inventado`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Uy! Algo salió mal');
  await page.goto(`${round.portal.url}/logout-saml?process_state=inventado&forceLogin=True`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Uy! Algo salió mal');
});

test('[SES-08 CONS-01 CONS-02 CONS-03 LOG-11 SES-04] an application gets a sign-in, a consent and single sign-on, and its session ends at the logout', async ({
  page,
  own: round,
}) => {
  test.setTimeout(120_000);
  const { portal, other: application } = round;
  await page.goto(`${application}/login`);
  await expect(page).toHaveURL(new RegExp(`^${portal.url}/login`));
  await page.getByText(/^Cancelar/).click();
  await expect(page.locator('#error')).toHaveText('access_denied');

  await page.goto(`${application}/login`);
  await completeDocumentStep(page, activeSampleCitizen);
  await page.getByLabel('Contraseña', { exact: true }).fill(activeSampleCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page.getByRole('heading', { name: 'Autorización' })).toBeVisible();
  await expect(page.locator('main')).toContainText('Trámites de prueba');
  await expect(page.getByText(/^Conocer tu\(s\) /).first()).toBeVisible();
  await expect(page.locator('main')).toContainText('18.331');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // Simulates a request that expired while its consent page was open.
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
  await expect(page.locator('#claims'), 'single sign-on without a prompt').toBeVisible();

  await page.goto(`${portal.url}/logout-process`);
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();
  await page.goto(application);
  await expect(page.getByText('Nobody is signed in')).toBeVisible();
});

test('[SES-07] the buttons of /saml-index send a sign-in and a logout request that the broker accepts', async ({
  page,
  axe,
}) => {
  await page.goto('/saml-index');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Enviar un pedido de inicio de sesión' }).click();
  await signIn(page, activeSampleCitizen);
  await expect(page).toHaveURL(/\/saml-index\//);
  await expect(page.getByText('uy-ci-45123784').first()).toBeVisible();

  await page.goto('/saml-index');
  await page.getByRole('button', { name: 'Enviar un pedido de cierre de sesión' }).click();
  await expect(page.getByText('Success')).toBeVisible({ timeout: 20_000 });
  await page.goto('/seguridad');
  await expect(page, 'the session has ended').toHaveURL(/\/login/);
});
