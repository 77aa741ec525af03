import { execFileSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { studioPaths } from '../../../src/studio/studio-api-types.ts';
import { expect as expectSoon, test as base } from './fixtures.ts';
import { projectRoot, startDevelopment, type PortalProcess } from './portal.ts';
import { copyProject, type ProjectCopy } from './project-copy.ts';

/** `expect` with a longer timeout, because the development server compiles a module at its first request. */
export const expect = expectSoon.configure({ timeout: 60_000 });

interface Own {
  readonly project: ProjectCopy;
  readonly portal: PortalProcess;
}

/**
 * Test with a development server on a copy of the project, whose first commit is the unchanged project. All files of
 * the Playwright project `studio` share them, because a development server needs half a minute until it has compiled
 * its modules. After each test, the copy is restored.
 */
export const test = base.extend<object, { own: Own }>({
  own: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires the parameter to be destructured
    async ({}, use) => {
      const project = await copyProject();
      for (const name of ['tests/fixtures', 'tests/definitions/walks'])
        await cp(join(projectRoot, name), join(project.root, name), { recursive: true });
      git(project, 'init', '-q');
      git(project, 'add', 'schemas', 'flows', 'tests');
      git(project, '-c', 'user.name=QA', '-c', 'user.email=qa@example.org', 'commit', '-q', '-m', 'as it is');
      const portal = await startDevelopment(project.root);
      await use({ project, portal });
      await portal.stop();
      await project.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  portal: async ({ own: { portal } }, use) => use(portal),
  page: async ({ page, own: { project } }, use) => {
    await page.addInitScript(stubChecker, studioPaths.findings);
    await use(page);
    await page.goto('about:blank'); // leaves the page first, because it would reload after each restored file
    git(project, 'checkout', '-q', '.');
    git(project, 'clean', '-qfd', 'schemas', 'flows', 'tests');
  },
});

/**
 * Replaces the checker by a stub without findings. The real one would explore all flows after each save, which takes
 * seconds. `useRealChecker` removes the stub.
 */
function stubChecker(address: string): void {
  const { fetch } = window;
  const stub: typeof fetch = (input, init) =>
    input === address ? Promise.resolve(Response.json({ answer: [] })) : fetch(input, init);
  Object.assign(window, { fetch: stub, realFetch: fetch });
}

export async function useRealChecker(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { fetch: (window as unknown as { realFetch: unknown }).realFetch }));
}

/** Creates a function that clicks an element and counts its clicks. */
export function createClickCounter() {
  let count = 0;
  const click = async (target: Locator): Promise<void> => {
    count += 1;
    await target.click();
  };
  return Object.assign(click, { count: () => count });
}

export async function openEntry(
  page: Page,
  click: (target: Locator) => Promise<void>,
  list: 'Pantallas' | 'Recorridos',
  name: string,
): Promise<void> {
  const lines = page.getByRole('tree').locator(`[aria-level="${list === 'Pantallas' ? 3 : 2}"] > .fui-TreeItemLayout`);
  await click(lines.filter({ has: page.getByText(name, { exact: true }) }).first()); // takes the first match, because several journeys may contain the same screen
}

export function git({ root }: ProjectCopy, ...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' });
}

/** Returns the lines removed and added in the definitions since the first commit. */
export function listDifferences(project: ProjectCopy): readonly string[] {
  return git(project, 'diff', '-U0', 'schemas', 'flows')
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2} )/.test(line));
}
