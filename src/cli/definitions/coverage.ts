import { groupBy } from '../../engine/core/json.ts';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadUncheckedDefinitions } from '../../engine/compiler/load-definitions.ts';
import { findUncoveredRules, type UncoveredRule } from '../../engine/compiler/mutate/rule-coverage.ts';
import { indexTextsByPointer } from '../../engine/compiler/shared/translation.ts';
import { listPluginCacheInputs } from '../../engine/compiler/files/index-plugins.ts';
import { DefinitionLoadCache } from '../../engine/compiler/sources/load-cache.ts';
import type { Json } from '../../engine/core/json.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { projectRoot } from '../project.ts';
import {
  readScreenCases,
  formatSnapshotHeading,
  getScreenCasesPath,
  getScreenSnapshotPath,
} from './cases/screen-cases.ts';
import { type createLocalizedPrint, localize } from './localized-output.ts';
import { addProposedCase } from './cases/proposed-cases.ts';

interface Coverage<Found, Key extends keyof Found> {
  readonly total: number;
  readonly uncovered: readonly Found[];
  /** Exceptions that are no longer needed. */
  readonly unused: readonly Pick<Found, Key>[];
}

export const uncoveredRulesFile = 'tests/definitions/uncovered-rules.json';
export const uncoveredTextsFile = 'tests/definitions/uncovered-texts.json';

type UncoveredScreenRule = UncoveredRule & { readonly screen: string };

/** Properties of a UI schema that do not affect validation. */
const nonValidatingProperties = ['title', 'intro', 'aside', 'actions', 'links', 'notices'];
const nonValidatingFieldProperties = ['ui:title', 'ui:help', 'ui:placeholder'];

/** Does not count the rules that `uncoveredRulesFile` lists as exceptions. */
export async function measureRuleCoverage(
  root: string,
  only: readonly string[] = [],
  cache = new DefinitionLoadCache(),
  loaded = loadUncheckedDefinitions(createDefinitionOptions(root), cache),
): Promise<Coverage<UncoveredScreenRule, 'screen' | 'field' | 'rule'>> {
  const { set, screens } = await loaded;
  const found: UncoveredScreenRule[] = [];
  let all = 0;
  for (const screen of screens.filter(({ id, schema }) => schema && isSelectedScreen(id, only))) {
    const { cases } = await readScreenCases(root, screen.id);
    const { schema, conditions, ui } = screen;
    const rules = Object.entries(ui).filter(([part]) => !nonValidatingProperties.includes(part));
    const catalogues = [...set.catalogues.values()].map(({ text }) => text);
    const own = JSON.stringify([schema, conditions, rules, cases], (key, value: unknown) =>
      nonValidatingFieldProperties.includes(key) ? undefined : value,
    );
    const texts = [own, ...catalogues, ...listPluginCacheInputs(set.plugins)];
    const { tried, uncovered } = await cache.getStoredOrComputeAsync(`rules of ${screen.id}`, texts, () =>
      findUncoveredRules(set, screen, cases),
    );
    all += tried;
    found.push(...uncovered.map((one) => ({ ...one, screen: screen.id })));
  }
  return { total: all, ...removeExceptions(found, ['screen', 'field', 'rule'], join(root, uncoveredRulesFile), only) };
}

interface UncoveredText {
  readonly screen: string;
  readonly pointer: string;
  readonly text: string;
}

/** Does not count the texts that `uncoveredTextsFile` lists as exceptions. */
export async function measureTextCoverage(
  root: string,
  only: readonly string[] = [],
  loaded = loadUncheckedDefinitions(createDefinitionOptions(root)),
): Promise<Coverage<UncoveredText, 'screen' | 'pointer'>> {
  const { screens } = await loaded;
  const found: UncoveredText[] = [];
  let all = 0;
  for (const { id: screen, ui } of screens.filter(({ id }) => isSelectedScreen(id, only))) {
    const shown = normalizeSpace(await readShownTexts(root, screen));
    const texts = [...indexTextsByPointer(ui as unknown as Json)]; // definitions are JSON, but `Ui` is not assignable to `Json`
    all += texts.length;
    for (const [pointer, text] of texts)
      if (!text.split(/\{\w+\}/).every((part) => shown.includes(normalizeSpace(part))))
        found.push({ screen, pointer, text });
  }
  return { total: all, ...removeExceptions(found, ['screen', 'pointer'], join(root, uncoveredTextsFile), only) };
}

function isSelectedScreen(screen: string, only: readonly string[]): boolean {
  return only.length === 0 || only.includes(screen);
}

/** Removes the findings with an exception in `file`. An exception matches a finding if all `keys` have equal values. */
function removeExceptions<Found extends { readonly screen: string }, Key extends keyof Found>(
  found: readonly Found[],
  keys: readonly Key[],
  file: string,
  only: readonly string[],
) {
  const excuses = JSON.parse(readFileSync(file, 'utf8')) as readonly Pick<Found, Key | 'screen'>[]; // the cast is safe, because the file is written by hand in this format
  const isSame = (one: Found, excuse: Pick<Found, Key>) => keys.every((key) => one[key] === excuse[key]);
  return {
    uncovered: found.filter((one) => !excuses.some((excuse) => isSame(one, excuse))),
    unused: excuses.filter(
      (excuse) => isSelectedScreen(excuse.screen, only) && !found.some((one) => isSame(one, excuse)),
    ),
  };
}

async function readShownTexts(root: string, screen: string): Promise<string> {
  const { cases } = await readScreenCases(root, screen);
  const snapshots = await readFile(join(root, getScreenSnapshotPath(screen)), 'utf8').catch(() => ''); // an empty text for a new screen, which has no snapshot
  const [shown = ''] = snapshots.split(formatSnapshotHeading('portuguese')); // only the Spanish part, because a Spanish text may also occur as another text in the Portuguese part
  return [...cases.flatMap(({ errors }) => Object.values(errors)), shown].join('\n');
}

function normalizeSpace(text: string): string {
  return text.replaceAll('&quot;', '"').replace(/\s+/g, ' ').trim();
}

/** Returns the number of rules and texts that no case or snapshot covers. */
export async function printCoverageReport(
  screens: readonly string[],
  {
    write,
    outdated,
    cache,
    print,
    language,
  }: {
    /** Whether to add a case for each uncovered rule. */
    readonly write: boolean;
    /** Screens with failing cases or a different stored snapshot. Their texts are not looked for in them. */
    readonly outdated: readonly string[];
    readonly cache: DefinitionLoadCache;
    readonly print: ReturnType<typeof createLocalizedPrint>;
    readonly language: string;
  },
): Promise<number> {
  if (screens.length === 0) return 0;
  const loaded = loadUncheckedDefinitions(createDefinitionOptions(projectRoot), cache);
  const rules = await measureRuleCoverage(projectRoot, screens, cache, loaded);
  const ofFields = groupBy(rules.uncovered, ({ screen, field }) => `${screen} ${field}`);
  for (const own of ofFields.values()) {
    const [first] = own;
    const names = own.map(({ rule }) => rule).join(', ');
    if (first) print(localize`no fixture covers ${names} of "${first.field}".`, `${first.screen}: `);
  }
  for (const uncovered of write ? rules.uncovered : []) {
    const file = getScreenCasesPath(uncovered.screen);
    const added = addProposedCase(await readFile(join(projectRoot, file), 'utf8'), uncovered, language);
    if (!added) continue;
    await writeFile(join(projectRoot, file), added.text);
    print(`  ${file}: ${added.name}`);
  }
  const incomplete = [...new Set(rules.uncovered.map(({ screen }) => screen))].join(' ');
  if (incomplete !== '' && !write)
    print(localize`Propose the missing cases with npm run check -- ${incomplete} --write, then check their messages.`);
  for (const { screen, field, rule } of rules.unused)
    print(
      localize`the fixtures now cover ${rule} of "${field}" in ${screen}: remove that entry.`,
      `${uncoveredRulesFile}: `,
    );
  print(localize`The fixtures cover ${rules.total - rules.uncovered.length} of ${rules.total} changes of rules.`);
  const problems = rules.uncovered.length + rules.unused.length;
  const drawn = screens.filter((screen) => !outdated.includes(screen));
  if (drawn.length === 0) return problems;
  const texts = await measureTextCoverage(projectRoot, drawn, loaded);
  for (const { screen, pointer, text } of texts.uncovered)
    print(localize`no snapshot shows "${text}" (${pointer}).`, `${screen}: `);
  for (const { screen, pointer } of texts.unused)
    print(localize`${pointer} of ${screen} is now shown: remove that entry.`, `${uncoveredTextsFile}: `);
  print(localize`Snapshots and fixtures show ${texts.total - texts.uncovered.length} of ${texts.total} texts.`);
  return problems + texts.uncovered.length + texts.unused.length;
}
