import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCardAuthority, type CardAuthority } from '../../src/cli/demo/card-authority.ts';
import { freePort } from '../server/support/free-port.ts';
import { accessibilityProblems } from './support/axe.ts';
import { expect, test as base } from './support/fixtures.ts';
import { startPortal, type Portal } from './support/portal.ts';
import { activeCitizen } from './support/registration.ts';

/** A portal that takes the cards of a throw-away authority. */
const test = base.extend<object, { cards: CardAuthority & { origin: string }; portal: Portal }>({
  cards: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'cards-'));
      const authority = await makeCardAuthority(folder, { document: activeCitizen.document, host: '127.0.0.1' });
      await use({ ...authority, origin: `https://127.0.0.1:${await freePort()}` });
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ cards: { origin, settings } }, use) => {
      const { port } = new URL(origin);
      const portal = await startPortal(undefined, {
        ...settings,
        HOST: '127.0.0.1',
        FLAGS: 'ci_electronica=on',
        CARD_URL: origin,
        CARD_PORT: port,
      });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('[LOG-10 FED-06 FED-08] a card signs its citizen in; a revoked one gets a page that says so, and leads back', async ({
  browser,
  portal,
  cards: { origin, good, revoked },
}) => {
  const open = async ({ certificate, key }: typeof good) => {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      clientCertificates: [{ origin, cert: Buffer.from(certificate), key: Buffer.from(key) }],
    });
    const page = await context.newPage();
    await page.goto(`${portal.url}/auth/login-con-ci`);
    expect(await accessibilityProblems(page)).toEqual([]);
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
  expect(await accessibilityProblems(other)).toEqual([]);
  await other.getByRole('link', { name: 'Volver a intentar' }).click();
  await expect(other.getByRole('heading', { name: 'Iniciá sesión con tu cédula de identidad' })).toBeVisible();
  await other.context().close();
});
