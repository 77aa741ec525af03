import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { projectRoot } from './support/portal.ts';
import { createForeigner } from './support/registration.ts';

const lost = /Failed to load resource|Failed to fetch dynamically imported module|net::ERR_|Unable to preload CSS/;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const next = (page: Page) => page.getByRole('button', { name: 'Continuar' });
const hours = (page: Page) => page.getByRole('group', { name: /^Hora/ }).getByRole('radio');
const retry = (page: Page) => page.getByRole('button', { name: 'Probar de nuevo' });

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
}

/** Files of the build that contain a given source file. */
function filesOf(source: string): readonly string[] {
  const built = JSON.parse(readFileSync(join(projectRoot, 'dist/portal/.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const chunk = built[source];
  if (!chunk) throw new Error(`The build has no ${source}.`);
  return [chunk.file, ...(chunk.css ?? [])];
}

const hourWidget = filesOf('plugins/time-list/widget.tsx');

/** Returns a function that returns the number of page loads. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => (loads += Number(request.isNavigationRequest())));
  return () => loads;
}

/** Fills in the support wizard without an account. */
async function completePersonStep(page: Page): Promise<string> {
  const { document } = createForeigner();
  await page.getByLabel('Nombre completo').fill('Inés Quiroga');
  await page.getByLabel('País emisor del documento').selectOption({ label: 'Argentina' });
  await page.getByLabel('Número de documento').fill(document);
  await page.getByLabel('Correo electrónico').fill('ines@casa.example');
  await page.getByLabel('Número de teléfono').fill('99123456');
  await page.getByLabel('Asunto').selectOption({ label: 'Firma digital' });
  await page.getByLabel('Motivo de la consulta').fill('No puedo firmar.');
  return document;
}

/** Opens the booking step with the hours while its module fails to load. */
async function openHoursOffline(page: Page): Promise<{ loads: () => number; number: string }> {
  const loads = countLoads(page);
  await page.route(`**/${hourWidget[0]}`, (route) => route.abort());
  await page.goto('/contacto-videollamada');
  const number = await completePersonStep(page);
  await next(page).click();
  return { loads, number };
}

test("[ERR-03 ENG-10] Continuar reloads the page and keeps the input if the next step's definition fails to load", async ({
  page,
  allowProblem,
}) => {
  allowProblem(lost);
  const loads = countLoads(page);
  await page.route('**/definitions/**agenda-soporte-fecha**', (route) => route.abort());
  await page.goto('/contacto-videollamada');
  const tried = page.waitForEvent('requestfailed', (request) => request.url().includes('agenda-soporte-fecha'));
  const number = await completePersonStep(page);
  await tried;
  expect(loads()).toBe(1);
  await next(page).click();
  await expect.poll(loads).toBe(2);
  await page.unroute('**/definitions/**agenda-soporte-fecha**');
  await expect(page.getByLabel('Número de documento')).toHaveValue(number);
  await next(page).click();
  await expect(heading(page, 'Elegí día y hora')).toBeVisible();
});

test('[ERR-03 ENG-10] a next step that is offline shows an error with a retry, which opens it without a page load', async ({
  page,
  context,
  allowProblem,
}) => {
  allowProblem(lost);
  const loads = countLoads(page);
  await page.goto('/contacto-videollamada');
  await page.route('**/definitions/**agenda-soporte-fecha**', (route) => route.abort());
  const number = await completePersonStep(page);
  await context.setOffline(true);
  await next(page).click();
  await expect(heading(page, 'No pudimos mostrar esta página')).toBeFocused();
  await page.unroute('**/definitions/**agenda-soporte-fecha**');
  await context.setOffline(false);
  await retry(page).click();
  await expect(heading(page, 'Elegí día y hora')).toBeFocused();
  expect(loads()).toBe(1);
  await page.getByRole('navigation', { name: 'Pasos' }).getByRole('link', { name: 'Tus datos' }).click();
  await expect(page.getByLabel('Número de documento')).toHaveValue(number);
});

test.describe('[ERR-03 AGEN-02] booking step whose time list fails to load', () => {
  for (const file of hourWidget)
    test(`requests the ${file.split('.').at(-1)} file again after one failure, without a message or a page load`, async ({
      page,
      allowProblem,
    }) => {
      allowProblem(lost);
      const loads = countLoads(page);
      await page.route(`**/${file}`, (route) => route.abort(), { times: 1 });
      await page.goto('/contacto-videollamada');
      await completePersonStep(page);
      await next(page).click();
      await expect(hours(page).first()).toBeVisible();
      expect(loads()).toBe(1);
      expect(await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? '').join())).toContain(
        hourWidget[1],
      );
    });

  test('shows an error in the field, and loads the time list without a page load once it is back online', async ({
    page,
    context,
    allowProblem,
    axe,
  }) => {
    allowProblem(lost);
    const { loads, number } = await openHoursOffline(page);
    await expect(heading(page, 'Elegí día y hora')).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Hora' })).toBeVisible();
    expect(await axe()).toEqual([]);
    await expect(page.getByRole('group', { name: 'Día', exact: true }).getByRole('radio').first()).toBeVisible();
    await context.setOffline(true);
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(`${request.method()} ${request.url()}`));
    await retry(page).click();
    const tried = () => failed.slice(failed.findIndex((request) => request.includes(hourWidget[0] ?? '')));
    await expect
      .poll(() =>
        tried()
          .map((request) => request.split(' ')[0])
          .join(),
      )
      .toContain('GET,HEAD'); // HEAD checks whether the server is reachable
    await expect(retry(page).first(), 'the page is not left while offline').toBeVisible(); // the notice about the connection may have the same button
    await context.setOffline(false);
    await page.unroute(`**/${hourWidget[0]}`);
    await retry(page).first().click();
    await expect(hours(page).first()).toBeVisible();
    expect(loads()).toBe(1);
    await page.getByRole('navigation', { name: 'Pasos' }).getByRole('link', { name: 'Tus datos' }).click();
    await expect(page.getByLabel('Número de documento')).toHaveValue(number);
  });

  test('reloads the page on retry if the server is reachable, and keeps the input of each step', async ({
    page,
    allowProblem,
  }) => {
    allowProblem(lost);
    const { loads, number } = await openHoursOffline(page);
    await page.getByRole('group', { name: 'Día', exact: true }).getByRole('radio').nth(1).check();
    expect(loads(), 'no reload during input').toBe(1);
    await retry(page).click();
    await expect.poll(loads).toBe(2);
    await page.unroute(`**/${hourWidget[0]}`);
    await expect(heading(page, 'Elegí día y hora')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Día', exact: true }).getByRole('radio').nth(1)).toBeChecked();
    await page.getByRole('navigation', { name: 'Pasos' }).getByRole('link', { name: 'Tus datos' }).click();
    await expect(page.getByLabel('Número de documento')).toHaveValue(number);
    await expect(page.getByLabel('Motivo de la consulta')).toHaveValue('No puedo firmar.');
  });
});
