import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSigner } from '../../src/cli/demo/wallet-signer.ts';
import { answerLink, issueCredential, newIssuer, newKey } from '../../src/cli/demo/holder-wallet.ts';
import { expect, test as base } from './support/fixtures.ts';
import { startPortal, type Portal } from './support/portal.ts';
import { activeCitizen } from './support/registration.ts';

type Holding = Parameters<typeof answerLink>[1];

/** A portal that believes one issuer, and a wallet with a credential of it. */
const test = base.extend<object, { round: { portal: Portal; holding: Holding }; portal: Portal }>({
  round: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'wallet-'));
      const issuer = await newIssuer({ issuer: 'https://emisor.example', level: 3, types: ['urn:eudi:pid:1'] });
      const holder = await newKey();
      const files = { WALLET_ISSUERS: join(folder, 'issuers.json'), WALLET_SIGNER: join(folder, 'signer.pem') };
      await writeFile(files.WALLET_ISSUERS, JSON.stringify([issuer.entry]));
      await writeFile(files.WALLET_SIGNER, await newSigner());
      const portal = await startPortal(undefined, files);
      const credential = await issueCredential(issuer, { number: activeCitizen.document, holder });
      await use({ portal, holding: { credential, holder } });
      await portal.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  portal: [({ round }, use) => use(round.portal), { scope: 'worker' }],
});

test('[LOG-15 FED-07 FED-08] a wallet signs in by the code on the screen, and by the link on its own device', async ({
  page,
  axe,
  round: { holding },
}) => {
  const begin = async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth/login'));
    await page.getByRole('button', { name: 'Verificar con billetera digital' }).click();
    await expect(page.getByRole('heading', { name: 'Identificate con tu billetera digital' })).toBeVisible();
    return (await (await answered).json()).options;
  };
  await page.goto('/login');
  await expect(page.getByLabel('Número de cédula')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Verificar con billetera digital' })).toHaveCount(0);

  await page.goto('/login?useId4Verification=True&redirectUrl=/seguridad');
  const { elsewhere } = await begin();
  await expect(page.getByRole('img', { name: 'Código QR del pedido a tu billetera' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Esperando a tu billetera' })).toBeVisible();
  expect(await axe()).toEqual([]);
  expect(await answerLink(elsewhere, holding)).toEqual({});
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Identificate con tu billetera digital');
  await page.goto('/seguridad');
  await expect(page.getByText('Ana Lucía Pereira Sosa').first()).toBeVisible();

  await page.waitForLoadState('networkidle'); // a call that finds no session any more would lead away from the sign-in
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login?useId4Verification=True');
  await begin();
  const link = await page.getByRole('link', { name: 'Abrir la billetera en este dispositivo' }).getAttribute('href');
  const { redirect_uri: back = '' } = await answerLink(link ?? '', holding);
  await page.goto(back);
  await expect(page).not.toHaveURL(/billetera|login/);
  await page.goto('/seguridad');
  await expect(page.getByText('Ana Lucía Pereira Sosa').first()).toBeVisible();
});
