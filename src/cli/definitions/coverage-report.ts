import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { projectRoot } from '../project.ts';
import { getScreenCasesPath } from './cases.ts';
import { measureRuleCoverage, measureTextCoverage, uncoveredRulesFile, uncoveredTextsFile } from './coverage.ts';
import { type createLocalizedPrint, say } from './localized-output.ts';
import { addProposedCase } from './proposed-cases.ts';

interface ReportOptions {
  /** Adds a case for each uncovered rule. */
  readonly write: boolean;
  readonly cache: LoadCache;
  readonly print: ReturnType<typeof createLocalizedPrint>;
  readonly language: string;
}

/** Returns the number of rules and texts that no case or snapshot covers. */
export async function printCoverageReport(
  screens: readonly string[],
  { write, cache, print, language }: ReportOptions,
): Promise<number> {
  if (screens.length === 0) return 0;
  const rules = await measureRuleCoverage(projectRoot, screens, cache);
  for (const uncovered of rules.uncovered) {
    print(say`no fixture covers ${uncovered.rule} of "${uncovered.field}".`, `${uncovered.screen}: `);
    if (!write) continue;
    const file = getScreenCasesPath(uncovered.screen);
    const added = addProposedCase(await readFile(join(projectRoot, file), 'utf8'), uncovered, language);
    if (!added) continue;
    await writeFile(join(projectRoot, file), added.text);
    print(`  ${file}: ${added.name}`);
  }
  for (const { screen, field, rule } of rules.unused)
    print(
      say`the fixtures now cover ${rule} of "${field}" in ${screen}: remove that entry.`,
      `${uncoveredRulesFile}: `,
    );
  const texts = await measureTextCoverage(projectRoot, screens, cache);
  for (const { screen, pointer, text } of texts.uncovered)
    print(say`no snapshot shows "${text}" (${pointer}).`, `${screen}: `);
  for (const { screen, pointer } of texts.unused)
    print(say`${pointer} of ${screen} is now shown: remove that entry.`, `${uncoveredTextsFile}: `);
  print(say`The fixtures cover ${rules.total - rules.uncovered.length} of ${rules.total} changes of rules.`);
  print(say`Snapshots and fixtures show ${texts.total - texts.uncovered.length} of ${texts.total} texts.`);
  return [rules.uncovered, rules.unused, texts.uncovered, texts.unused].flat().length;
}
