import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Definitions, Problem } from '../../engine/compiler/definitions.ts';
import { guess } from '../../engine/compiler/sources/near.ts';
import { readSource } from '../../engine/compiler/sources/read-source.ts';
import { say } from '../../engine/compiler/sources/say.ts';
import { checkSource, Problems } from '../../engine/compiler/sources/source-file.ts';
import { casesFolder } from './cases.ts';

/** What is wrong with the files of cases as files: no JSON, a case twice, a name that is no screen's. What cases expect, the tests say. */
export async function caseFileProblems(
  root: string,
  { screens }: Pick<Definitions, 'screens'>,
  language: string,
): Promise<readonly Problem[]> {
  const problems = new Problems(language);
  const names = await readdir(join(root, casesFolder)).catch(() => []);
  for (const name of names.filter((own) => own.endsWith('.json')).sort()) {
    const file = await readSource(root, `${casesFolder}/${name}`, problems);
    if (!file || !checkSource(file, problems)) continue;
    const screen = name.slice(0, -'.json'.length);
    if (!screens.has(screen))
      problems.add(
        file,
        '',
        say`There is no screen "${screen}": nobody runs these cases.`,
        say`${guess(screen, screens)}Give the file the name of the screen's folder, or remove it.`,
      );
  }
  return problems.list;
}
