import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { preview } from 'vite';
import { buildPlayground } from '../../src/cli/engine/build-playground.ts';
import gallery from '../../src/playground/gallery.json' with { type: 'json' };
import { expect, test as base } from './support/fixtures.ts';
import { projectRoot } from './support/portal.ts';

/** Serves the built page from a static file server, and opens it. */
async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'));
  await buildPlayground(projectRoot, folder);
  const server = await preview({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
  });
  return {
    url: server.resolvedUrls?.local[0],
    close: () => server.close().then(() => rm(folder, { recursive: true })),
  };
}

let opening: ReturnType<typeof open> | undefined;

const test = base.extend<{ site: Awaited<ReturnType<typeof open>> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires the parameter to be destructured
  site: [async ({}, use) => use(await (opening ??= open())), { timeout: 120_000 }],
  baseURL: async ({ site }, use) => use(site.url),
});

test.afterAll(async () => (await opening)?.close());

const form = (page: Page) => page.getByRole('region', { name: 'Form' });
const editor = (page: Page) => page.getByRole('tabpanel').getByRole('textbox');

const sampleOf = (page: Page) => page.getByRole('combobox', { name: 'Sample' });

/** Replaces the content of a file, with the keyboard. */
async function write(page: Page, file: string, content: unknown): Promise<void> {
  await page.getByRole('tab', { name: file }).click();
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(JSON.stringify(content, null, 2));
}

test('[ENG-16] the playground compiles edited files in the page, updates the form and restores them from its address', async ({
  page,
  context,
}) => {
  await page.goto('./');
  const policy = await page.locator('meta[http-equiv=content-security-policy]').getAttribute('content');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(policy).not.toContain('unsafe');
  await expect(form(page).getByLabel('Apellido')).toBeVisible();

  await write(page, 'sample/schema.json', {
    type: 'object',
    required: ['color'],
    properties: { color: { type: 'string', pattern: '^#[0-9a-f]{6}$' } },
  });
  await expect(page.getByText(/There is no field "apellido"|"apellido" is no field/).first()).toBeVisible();
  await expect(form(page).getByLabel('Apellido')).toBeVisible(); // the preview shows the last valid version
  await write(page, 'sample/ui.json', {
    title: 'Pintura',
    fields: { color: { 'ui:title': 'Color' } },
    actions: [{ event: 'submit', text: 'Pintar', primary: true }],
    messages: { color: { pattern: 'Con seis cifras' } },
  });
  await expect(page.getByText('No problems.')).toBeVisible();
  await form(page).getByLabel('Color').fill('rojo');
  await form(page).getByRole('button', { name: 'Pintar' }).press('Enter');
  await expect(form(page).getByRole('alert')).toContainText('Con seis cifras');
  await expect(form(page).getByText('"color": "Con seis cifras"')).toBeVisible(); // the output of the server's validation

  await write(page, 'messages.json', { required: 'Hace falta', type: 'Otro tipo', additionalProperties: 'De más' });
  await expect(form(page).getByLabel('Color')).toHaveValue(''); // the form was reset
  await form(page).getByRole('button', { name: 'Pintar' }).press('Enter');
  await expect(form(page).getByRole('alert')).toContainText('Hace falta');
  await expect(page).toHaveURL(/#files=[\w-]{200,}$/);
  const before = page.url();
  await write(page, 'flows/main.json', {
    id: 'main',
    initial: 'form',
    states: {
      form: { path: '/form', screen: 'sample', on: { submit: { src: 'paint', onDone: 'done' } } },
      done: { screen: 'done', type: 'final' },
    },
  });
  await expect(page).not.toHaveURL(before);
  await expect(page.getByText('No problems.')).toBeVisible();
  const address = page.url();

  const other = await context.newPage();
  await other.goto(address);
  await expect(sampleOf(other)).toHaveValue('');
  await form(other).getByLabel('Color').fill('#00ff00');
  await form(other).getByRole('button', { name: 'Pintar' }).click();
  await expect(form(other).getByRole('heading', { name: 'Listo' })).toBeVisible();
  await expect(form(other).getByText('paint { "color": "#00ff00" }')).toBeVisible();

  await other.goto(`${address.slice(0, -40)}#`);
  await other.goto(address.slice(0, -40)); // simulates a link that was truncated
  await expect(form(other).getByLabel('Apellido')).toBeVisible();
});

test('[ENG-16] the playground lists a compiler error beside the editor, with a link that moves the focus to its position', async ({
  page,
}) => {
  await page.goto(`./#${encodeURIComponent('Pattern properties, refused')}`);
  const problem = page.getByRole('listitem').filter({ hasText: '"patternProperties" is not allowed' });
  await expect(problem).toContainText('Name each field in "properties"');
  await page.getByRole('tab', { name: 'messages.json' }).click();
  await problem.getByRole('button', { name: /^schemas\/sample\/schema\.json:\d+:\d+$/ }).press('Enter');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.insertText('"maxLength": 9, ');
  await expect(editor(page)).toContainText('"maxLength": 9, "patternProperties"');
  await expect(problem).toBeVisible();
  await page.keyboard.press('Tab'); // Tab moves the focus out of the editor
  await expect(editor(page)).not.toBeFocused();
});

test('[ENG-16] the playground draws each sample of the gallery, or lists the errors of a rejected one', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto('./');
  for (const { name } of gallery) {
    await sampleOf(page).selectOption({ label: name });
    await expect(page).toHaveURL(`./#${encodeURIComponent(name)}`);
    if (name.endsWith(', refused')) await expect(page.getByText(/^\d+ problems?:$/), name).toBeVisible();
    else await expect(form(page).locator('[data-screen]'), name).toBeVisible();
  }
});

test('[ENG-16] the playground passes axe at 1280 and 320 px, and does not scroll sideways from 320 px on', async ({
  page,
  axe,
}) => {
  for (const sample of ['Arrays', 'Matrix', 'Pattern properties, refused']) {
    await page.goto('./');
    await page.goto(`./#${encodeURIComponent(sample)}`);
    await expect(sampleOf(page)).toHaveValue(sample);
    await expect(page.getByText(/^(No problems\.|\d+ problems?:)$/)).toBeVisible();
    for (const theme of ['Plain HTML', 'Fluent UI']) {
      await page.getByLabel('Theme').selectOption(theme);
      for (const width of [1280, 360, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        if (width !== 360) expect.soft(await axe(), `${sample}, ${theme} at ${width}`).toEqual([]);
      }
    }
  }
});
