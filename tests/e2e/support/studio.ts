import { execFileSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { studioPaths } from '../../../src/studio/studio-api-types.ts';
import { expect as expectSoon, withOwnPortal } from './fixtures.ts';
import { projectRoot, startDevelopment } from './portal.ts';
import { copyProject, type ProjectCopy } from './project-copy.ts';

/** `expect` with a longer timeout, because the development server compiles a module at its first request. */
export const expect = expectSoon.configure({ timeout: 60_000 });

/**
 * Creates a test with a development server on a copy of the project. The copy's first commit is the unchanged project.
 */
export function createStudioTest() {
  const test = withOwnPortal(async () => {
    const project = await copyProject();
    for (const name of ['vite.config.ts', 'tests/fixtures', 'tests/definitions/walks'])
      await cp(join(projectRoot, name), join(project.root, name), { recursive: true });
    git(project, 'init', '-q');
    git(project, 'add', 'schemas', 'flows', 'tests');
    git(project, '-c', 'user.name=QA', '-c', 'user.email=qa@example.org', 'commit', '-q', '-m', 'as it is');
    return {
      project,
      portal: await startDevelopment(project.root),
      close: project.remove,
    };
  }).extend<{ readonly checker: boolean }>({
    checker: [false, { option: true }],
    page: async ({ page, checker }, use) => {
      if (!checker) await page.addInitScript(stubChecker, studioPaths.findings);
      await use(page);
    },
  });
  test.describe.configure({ timeout: 240_000 });
  // Restores the project after each test. Leaves the page first, because it would reload after each restored file.
  test.afterEach(async ({ own: { project }, page }) => {
    await page.goto('about:blank');
    git(project, 'checkout', '-q', '.');
    git(project, 'clean', '-qfd', 'schemas', 'flows', 'tests');
  });
  return test;
}

/**
 * Replaces the checker by a stub without findings. The real one would explore all flows after each save, which takes
 * seconds.
 */
export function stubChecker(address: string): void {
  const { fetch } = window;
  window.fetch = (input, init) =>
    input === address ? Promise.resolve(Response.json({ answer: [] })) : fetch(input, init);
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
