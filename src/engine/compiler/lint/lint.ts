import { getNodeValue } from 'jsonc-parser';
import type { Flow } from '../../core/definition.ts';
import { hashScreen, type CheckedScreen, type CheckedDefinitions } from '../ir.ts';
import type { DefinitionProblem } from '../definitions.ts';
import type { LoadCache } from '../sources/load-cache.ts';
import {
  replaceIndexesByNames,
  locatePointer,
  parseSourceFile,
  type ProblemCollector,
} from '../sources/source-file.ts';
import type { LintOptions } from './lint-options.ts';
import type { LintedFlow, LintInput } from './lint-input.ts';
import type { LintFinding, LintRule } from './lint-rule.ts';
import { exploringLintRules, lintRules } from './lint-rules.ts';
import { slowPatternLintRule } from './rules/dates-and-patterns.ts';
import { explain, say, selectLocalizedText, type LocalizedText } from '../sources/localized-text.ts';
import { exploreFlow } from '../explore/explore.ts';
import { isObject, type Json } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { listPluginCacheInputs } from '../files/index-plugins.ts';
import type { ProjectFiles } from '../files/read-file-set.ts';

/** Path of the file with suppressed findings and their reasons, relative to the project. */
export const suppressionsPath = 'schemas/_lint.json';

interface Suppression {
  readonly rule: string;
  readonly file: string;
  readonly pointer: string;
  readonly because: string;
}

export async function readLintSuppressions(
  files: ProjectFiles,
  problems: ProblemCollector,
): Promise<readonly Suppression[]> {
  const [folder = '', name = ''] = suppressionsPath.split('/');
  if (!(await files.list(folder)).includes(name)) return [];
  const file = parseSourceFile(suppressionsPath, await files.read(suppressionsPath), problems);
  if (!file) return [];
  const entries: readonly unknown[] = Array.isArray(file.value) ? file.value : [null];
  return entries.flatMap((entry, index) => {
    if (isSuppression(entry)) return [entry];
    problems.report(file)(`/${index}`)(explain`This is not a valid suppression.
      Write a list of { "rule", "file", "pointer", "because" }, each with four texts. Give the reason in "because".`);
    return [];
  });
}

/** Removes suppressed findings. Adds a warning for each unused suppression. */
export function applyLintSuppressions(
  found: readonly DefinitionProblem[],
  suppressions: readonly Suppression[],
  language: string,
): readonly DefinitionProblem[] {
  const isSuppressed = ({ rule, file, pointer }: Suppression, problem: DefinitionProblem) =>
    rule === problem.rule && file === problem.file && pointer === (problem.name ?? problem.pointer);
  const left = found.filter((problem) => !suppressions.some((entry) => isSuppressed(entry, problem)));
  const unused = suppressions.flatMap((entry, index): DefinitionProblem | [] =>
    found.some((problem) => isSuppressed(entry, problem))
      ? []
      : {
          rule: 'lint/unused',
          severity: 'W',
          file: suppressionsPath,
          line: 1,
          column: 1,
          pointer: `/${index}`,
          message: selectLocalizedText(
            say`This suppression is no longer needed: ${entry.rule} in ${entry.file} ${entry.pointer}.`,
            language,
          ),
          hint: selectLocalizedText(adviseUnused(entry, found), language),
        },
  );
  return [...left, ...unused];
}

/** Returns a hint about an unused suppression: the part in which it differs from a finding. */
function adviseUnused({ rule, file, pointer }: Suppression, found: readonly DefinitionProblem[]): LocalizedText {
  const fits = ({ name, ...problem }: DefinitionProblem) => ({
    rule: problem.rule === rule,
    file: problem.file === file,
    index: problem.pointer === pointer && name !== undefined,
    pointer: (name ?? problem.pointer) === pointer,
  });
  const moved = found.find((problem) => fits(problem).rule && fits(problem).file && fits(problem).index);
  if (moved?.name !== undefined) return say`Items of lists are addressed by name: write "pointer": "${moved.name}".`;
  const other = found.find((problem) => fits(problem).pointer && fits(problem).rule !== fits(problem).file);
  if (!other) return say`Remove the entry.`;
  return other.rule === rule ? say`Write "file": "${other.file}".` : say`Write "rule": "${other.rule ?? ''}".`;
}

function findName({ tree }: LintFinding['file'], pointer: string): { readonly name?: string } {
  const name = tree && replaceIndexesByNames(getNodeValue(tree) as Json, pointer); // cast: the parser returns plain JSON values
  return name === undefined || name === pointer ? {} : { name };
}

function isSuppression(entry: unknown): entry is Suppression {
  if (!isObject(entry)) return false;
  const { rule, file, pointer, because, ...more } = entry;
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  return [rule, file, because].every(isText) && typeof pointer === 'string' && Object.keys(more).length === 0;
}

const noContract = { operations: {}, commonErrors: [], blocks: {} };

/** Returns problems for slow patterns, which are errors even without the analysis. */
export function findSlowPatterns(
  { set, screens }: CheckedDefinitions,
  language: string,
  cache: LoadCache,
): readonly DefinitionProblem[] {
  const subject = { set, cache, screens: indexById(screens), flows: [], contract: noContract };
  return cache.getStoredOrCompute('slow patterns', [language, ...screens.map(hashScreen)], () =>
    applyRule(slowPatternLintRule, subject, language),
  );
}

/** Applies every lint rule. Only explores flows whose findings are not cached. */
export function lintDefinitions(
  { set, screens, flows }: CheckedDefinitions,
  contract: LintOptions,
  { language, cache }: { readonly language: string; readonly cache: LoadCache },
): readonly DefinitionProblem[] {
  const byId = indexById(screens);
  const prepareFlow = (lowered: CheckedDefinitions['flows'][number]): LintedFlow => {
    const { flow, file, toSourcePointer } = lowered;
    const inputs = [flow, contract, set.plugins, ...screens.filter(({ id }) => listShown(flow).has(id))];
    return {
      ...lowered,
      get exploration() {
        return cache.getOrCompute(`explore ${flow.id}`, inputs, () =>
          exploreFlow(flow, { ...contract, screens: byId }),
        );
      },
      locate(...steps) {
        return { file, pointer: toSourcePointer(steps.map((step) => `/${escapePointer(step)}`).join('')) };
      },
    };
  };
  const subject: LintInput = { set, cache, screens: byId, contract, flows: flows.map(prepareFlow) };
  const around = [language, JSON.stringify(contract), ...listPluginCacheInputs(set.plugins)];
  const explored = splitByScreens(subject).flatMap((part) =>
    cache.getStoredOrCompute(
      `findings ${part.flows.map(({ flow }) => flow.id).join(' ')}`,
      [...around, ...listPartTexts(part)],
      () => exploringLintRules.flatMap((rule) => applyRule(rule, part, language)),
    ),
  );
  const shared = [...set.shared.values(), ...set.sharedTexts.values(), ...set.commonTexts.values()];
  const texts = [...around, ...shared.flatMap(({ path, text }) => [path, text]), ...listPartTexts(subject)];
  const others = cache.getStoredOrCompute('findings', texts, () =>
    lintRules.flatMap((rule) => applyRule(rule, subject, language)),
  );
  const found = [...explored, ...others];
  const distinct = new Map(
    found.map((problem) => [`${problem.rule ?? ''} ${problem.file} ${problem.pointer} ${problem.message}`, problem]),
  );
  return dropExplained([...distinct.values()]);
}

function listShown({ states }: Flow): ReadonlySet<string> {
  return new Set(Object.values(states).flatMap(({ screen }) => screen ?? []));
}

/**
 * Splits the definitions into parts that share no screens. Rules that explore flows have the same findings in each part as in all definitions
 * together.
 */
function splitByScreens(subject: LintInput): readonly LintInput[] {
  const parts: { flows: LintedFlow[]; shown: ReadonlySet<string> }[] = [];
  for (const linted of subject.flows) {
    const shown = listShown(linted.flow);
    const joined = parts.filter((part) => [...shown].some((screen) => part.shown.has(screen)));
    for (const part of joined) parts.splice(parts.indexOf(part), 1);
    const all = joined.flatMap((part) => [...part.shown]);
    parts.push({ flows: [...joined.flatMap(({ flows }) => flows), linted], shown: new Set([...all, ...shown]) });
  }
  return parts.map(({ flows, shown }) => ({
    ...subject,
    flows,
    screens: new Map([...subject.screens].filter(([id]) => shown.has(id))),
  }));
}

function listPartTexts({ flows, screens }: LintInput): readonly string[] {
  return [
    ...flows.flatMap(({ flow, file }) => [JSON.stringify(flow), file.text]),
    ...[...screens.values()].map(hashScreen),
  ];
}

function indexById(screens: readonly CheckedScreen[]): LintInput['screens'] {
  return new Map(screens.map((screen) => [screen.id, screen]));
}

/** Maps a rule to the rules whose findings at the same location explain its finding. Explained findings are dropped. */
const explainingRules: Readonly<Record<string, readonly string[]>> = {
  'rule/constant': ['rule/choice'],
  'walk/part': ['rule/choice', 'rule/constant'],
  'data/dropped': ['ui/consent'],
  'text/name': ['text/language'],
  'text/plain': ['text/language'],
  'text/spelling': ['text/language'],
};

function dropExplained(found: readonly DefinitionProblem[]): readonly DefinitionProblem[] {
  return found.filter(
    ({ rule = '', file, pointer }) =>
      !found.some(
        (other) =>
          explainingRules[rule]?.includes(other.rule ?? '') && other.file === file && other.pointer.startsWith(pointer),
      ),
  );
}

function applyRule(
  { id: rule, severity, findViolations: find }: LintRule,
  subject: LintInput,
  language: string,
): readonly DefinitionProblem[] {
  return [...find(subject)].map(({ file, pointer, message, hint, path, related = [], fix }) => ({
    rule,
    severity,
    file: file.path,
    ...locatePointer(file, pointer),
    pointer,
    ...findName(file, pointer),
    message: selectLocalizedText(message, language),
    hint: selectLocalizedText(hint, language),
    ...(path !== undefined && { path }),
    ...(related.length > 0 && { related }),
    ...(fix && { fix }),
  }));
}
