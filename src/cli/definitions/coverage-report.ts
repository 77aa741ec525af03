import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { LoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { selectLanguage } from '../../engine/compiler/sources/say.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import type { JsonObject } from '../../engine/core/json.ts';
import { root } from '../project.ts';
import { getCasesPath, parseCases } from './cases.ts';
import { measureRuleCoverage, measureTextCoverage, uncoveredRulesFile, uncoveredTextsFile } from './coverage.ts';
import { applyEdits } from './json-edit.ts';
import { type createPrint, say } from './language.ts';

interface ReportOptions {
  /** Whether to add a case for each uncovered rule. */
  readonly write: boolean;
  readonly cache: LoadCache;
  readonly print: ReturnType<typeof createPrint>;
  readonly language: string;
}

/**
 * Prints the rules and texts of screens that no case or snapshot covers. Returns the number of these rules and texts.
 */
export async function reportCoverage(
  screens: readonly string[],
  { write, cache, print, language }: ReportOptions,
): Promise<number> {
  if (screens.length === 0) return 0;
  const rules = await measureRuleCoverage(root, screens, cache);
  for (const { screen, field, rule, proposal } of rules.uncovered) {
    print(say`no fixture covers ${rule} of "${field}".`, `${screen}: `);
    if (!write || !proposal) continue;
    const name = `propuesta-${field}-${rule.replace(/\W+/g, '-').replace(/-$/, '')}`;
    const accepted = Object.keys(proposal.errors).length === 0;
    const note = selectLanguage(
      accepted
        ? say`Proposed for ${rule} of "${field}": confirm that these values are right.`
        : say`Proposed for ${rule} of "${field}": confirm that the message is the right one.`,
      language,
    );
    const writtenFile = await writeCase(screen, name, { note, ...proposal });
    if (writtenFile !== null) print(`  ${writtenFile}`);
  }
  for (const { screen, field, rule } of rules.unused)
    print(
      say`the fixtures now cover ${rule} of "${field}" in ${screen}: remove that entry.`,
      `${uncoveredRulesFile}: `,
    );
  const texts = await measureTextCoverage(root, screens, cache);
  for (const { screen, pointer, text } of texts.uncovered)
    print(say`no snapshot shows "${text}" (${pointer}).`, `${screen}: `);
  for (const { screen, pointer } of texts.unused)
    print(say`${pointer} of ${screen} is now shown: remove that entry.`, `${uncoveredTextsFile}: `);
  print(say`The fixtures cover ${rules.all - rules.uncovered.length} of ${rules.all} changes of rules.`);
  print(say`Snapshots and fixtures show ${texts.all - texts.uncovered.length} of ${texts.all} texts.`);
  return [rules.uncovered, rules.unused, texts.uncovered, texts.unused].flat().length;
}

/**
 * Adds a case to the file of a screen, with only the values that differ from the file's shared values. Returns the
 * location of the case, or `null` if a case with this name exists.
 */
async function writeCase(screen: string, name: string, proposed: ProposedCase): Promise<string | null> {
  const file = getCasesPath(screen);
  const text = await readFile(join(root, file), 'utf8');
  const shared = parseCases(text);
  if (shared.cases.some((known) => known.name === name)) return null;
  const { note, data, context, errors } = proposed;
  const changed = Object.entries(data).filter(([field, value]) => !isDeepStrictEqual(value, shared.data[field]));
  const missing = Object.keys(shared.data).filter((field) => !Object.hasOwn(data, field));
  const value = {
    note,
    ...(changed.length > 0 && { with: Object.fromEntries(changed) }),
    ...(missing.length > 0 && { without: missing }),
    ...(!isDeepStrictEqual(context, shared.context) && { context }),
    ...(Object.keys(errors).length > 0 && { errors }),
  } as JsonObject; // cast, because all values come from JSON
  await writeFile(join(root, file), applyEdits(text, [{ pointer: `/cases/${escapePointer(name)}`, value }]));
  return `${file}: ${name}`;
}

type CaseProposal = NonNullable<Awaited<ReturnType<typeof measureRuleCoverage>>['uncovered'][number]['proposal']>;
type ProposedCase = Pick<CaseProposal, 'data' | 'context' | 'errors'> & { readonly note: string | undefined };
