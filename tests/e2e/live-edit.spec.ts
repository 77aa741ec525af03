import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from './support/fixtures.ts';
import { projectRoot, startPortal, type Portal } from './support/portal.ts';

/** A server over a copy of the project, whose files a test may change. */
const test = base.extend<object, { copy: string; portal: Portal }>({
  copy: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const copy = mkdtempSync(join(tmpdir(), 'project-'));
      for (const name of ['src', 'schemas', 'flows', 'plugins', 'dist', 'package.json', 'tsconfig.json']) {
        cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
      }
      symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
      await use(copy);
      rmSync(copy, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ copy }, use) => {
      const portal = await startPortal(copy);
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('[ANA-01] an edited text is live at the next page load, without a build', async ({ page, copy }) => {
  await page.goto('/registro');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registrate');
  edit(join(copy, 'schemas/registro/ui.json'), '"Registrate"', '"Abrí tu cuenta"');
  await expect(async () => {
    await page.goto('/registro');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Abrí tu cuenta', { timeout: 1_000 });
  }).toPass();
});

test('[ANA-02] a broken edit keeps the last good set in service and is told in the terminal', async ({ page, copy, portal }) => {
  edit(join(copy, 'schemas/login/ui.json'), '"title":', '"titel":');
  await expect(() => expect(portal.output()).toMatch(/schemas\/login\/ui\.json:\d+:\d+ /)).toPass();
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  edit(join(copy, 'schemas/login/ui.json'), '"titel":', '"title":');
});

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not hold ${before}`);
  writeFileSync(file, text.replace(before, after));
}
