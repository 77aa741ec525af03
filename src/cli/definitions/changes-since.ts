import { baseLanguage } from '../../contract/portal-config.ts';
import type { Change } from '../../engine/compiler/compare/change.ts';
import { compareDefinitions } from '../../engine/compiler/compare/compare.ts';
import { readDefinitions } from '../../engine/compiler/load-definitions.ts';
import { accessWords, operationDefaults } from '../../server/app/definition-options.ts';
import { commitOf, runGit } from '../git.ts';
import { extractVersion } from './extract-version.ts';

const read = (root: string) => readDefinitions({ root, baseLanguage, defaults: operationDefaults });

/** What changed in the definitions of a project since a commit; null where there is no such commit with definitions. */
export async function changesSince(root: string, commit: string): Promise<readonly Change[] | null> {
  if (isAsIn(root, commit)) return [];
  const before = await readVersion(root, commit);
  return before && compareDefinitions(before, await read(root), accessWords);
}

async function readVersion(root: string, commit: string) {
  const version = extractVersion(root, commit);
  return version && read(version.folder).finally(version.remove);
}

/** Whether git finds every file of the definitions as it is in the commit, which is known without reading them. */
function isAsIn(root: string, commit: string): boolean {
  const paths = ['schemas', 'flows'];
  const hash = commitOf(root, commit);
  if (hash === null) return false;
  const differs = runGit(root, { command: 'diff', options: ['--name-only'], values: [hash], paths });
  return differs === '' && runGit(root, { command: 'ls-files', options: ['--others'], paths }) === '';
}
