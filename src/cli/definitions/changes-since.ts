import { baseLanguage } from '../../contract/portal-config.ts';
import type { Change } from '../../engine/compiler/compare/change.ts';
import { compareDefinitions } from '../../engine/compiler/compare/compare.ts';
import { readDefinitions } from '../../engine/compiler/load-definitions.ts';
import { accessWords, operationDefaults } from '../../server/app/definition-options.ts';
import { extractVersion } from './extract-version.ts';

const read = (root: string) => readDefinitions({ root, baseLanguage, defaults: operationDefaults });

/** What changed in the definitions of a project since a commit; null where there is no such commit with definitions. */
export async function changesSince(root: string, commit: string): Promise<readonly Change[] | null> {
  const version = extractVersion(root, commit);
  if (!version) return null;
  const before = await read(version.folder).finally(version.remove);
  return compareDefinitions(before, await read(root), accessWords);
}
