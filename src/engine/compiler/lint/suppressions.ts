import { isObject } from '../../core/json.ts';
import type { DefinitionProblem } from '../definitions.ts';
import type { ProjectFileReader } from '../files/read-definition-files.ts';
import {
  explain,
  findNearestName,
  localize,
  selectLocalizedText,
  suggestSimilarName,
  suggestSimilarOrKnownNames,
  type LocalizedText,
  type ProblemExplanation,
} from '../sources/localized-text.ts';
import { locatePointer } from '../sources/source-file.ts';
import { parseSourceFile } from '../sources/parse-source-file.ts';
import { type ProblemCollector } from '../sources/problem-collector.ts';
import { lintRulesWithExploration, lintRulesWithoutExploration, misleadingRules } from './lint-rules.ts';
import { slowPatternLintRule } from './rules/dates-and-patterns.ts';

/** Path of the file with suppressed findings and their reasons, relative to the project. */
export const suppressionsPath = 'schemas/_lint.json';

interface SuppressionEntry {
  readonly rule: string;
  readonly file: string;
  readonly pointer: string;
  readonly because: string;
}

/** An entry, and its location in `suppressionsPath`. */
interface Suppression extends SuppressionEntry {
  readonly place: Pick<DefinitionProblem, 'file' | 'line' | 'column' | 'pointer'>;
}

const entryKeys: readonly string[] = [
  'rule',
  'file',
  'pointer',
  'because',
] satisfies readonly (keyof SuppressionEntry)[];

/** Minimum length of a reason, in characters. */
const minReasonLength = 10;

export async function readLintSuppressions(
  files: ProjectFileReader,
  problems: ProblemCollector,
): Promise<readonly Suppression[]> {
  const [folder = '', name = ''] = suppressionsPath.split('/');
  if (!(await files.list(folder)).includes(name)) return [];
  const file = parseSourceFile(suppressionsPath, await files.read(suppressionsPath), problems);
  if (!file) return [];
  const entries: readonly unknown[] = Array.isArray(file.value) ? file.value : [null];
  return entries.flatMap((entry, index) => {
    const pointer = `/${index}`;
    const problem = findEntryProblem(entry);
    if (problem) problems.report(file)(pointer)(problem);
    const { line, column } = locatePointer(file, pointer);
    return problem ? [] : [{ ...(entry as SuppressionEntry), place: { file: file.path, line, column, pointer } }]; // cast: the entry has the four texts
  });
}

function findEntryProblem(entry: unknown): ProblemExplanation | null {
  if (!isObject(entry))
    return explain`This is not a valid suppression.
      Write a list of { "rule", "file", "pointer", "because" }, each with four texts.`;
  const unknown = Object.keys(entry).find((key) => !entryKeys.includes(key));
  if (unknown !== undefined)
    return explain`A suppression has no "${unknown}".
      ${suggestSimilarOrKnownNames(unknown, entryKeys)}`;
  const missing = entryKeys.find((key) => typeof entry[key] !== 'string' || (entry[key] === '' && key !== 'pointer'));
  if (missing !== undefined)
    return explain`The suppression has no "${missing}".
      Write "${missing}" as a text. "because" is the reason for people who review the change.`;
  const { rule, because } = entry as unknown as SuppressionEntry; // cast: checked above
  if (because.trim().length < minReasonLength)
    return explain`The reason "${because}" explains nothing.
      Write in "because" why the definition is right.`;
  const rules = [...lintRulesWithoutExploration, ...lintRulesWithExploration, slowPatternLintRule].map(({ id }) => id);
  return rules.includes(rule)
    ? null
    : explain`There is no rule "${rule}".
        ${suggestSimilarName(rule, rules)}Write it as in the message.`;
}

/**
 * Removes suppressed findings. Adds a warning for each unused suppression. The warning replaces the finding for which the suppression was probably
 * written.
 */
export function applyLintSuppressions(
  found: readonly DefinitionProblem[],
  suppressions: readonly Suppression[],
  language: string,
): readonly DefinitionProblem[] {
  const left = found.filter((problem) => !suppressions.some((entry) => isSuppressed(entry, problem)));
  const isUnexplored = found.some(({ rule }) => misleadingRules.includes(rule ?? ''));
  const isUndecided = (entry: Suppression) =>
    isUnexplored && lintRulesWithExploration.some(({ id }) => id === entry.rule);
  const unused = suppressions
    .filter((entry) => !isUndecided(entry) && !found.some((problem) => isSuppressed(entry, problem)))
    .map((entry) => ({ entry, correction: findCorrection(entry, left) }));
  const warnings = unused.map(({ entry, correction }): DefinitionProblem => {
    const { rule, file, pointer, place } = entry;
    const message = correction
      ? localize`This suppression fits no finding: ${rule} in ${file} ${pointer}.`
      : localize`This suppression is no longer needed: ${rule} in ${file} ${pointer}.`;
    const hint = correction?.hint ?? localize`Remove the entry.`;
    const texts = { message: selectLocalizedText(message, language), hint: selectLocalizedText(hint, language) };
    return { rule: 'lint/unused', severity: 'W', ...place, ...texts };
  });
  return [...left.filter((problem) => !unused.some(({ correction }) => correction?.finding === problem)), ...warnings];
}

function isSuppressed({ rule, file, pointer }: SuppressionEntry, problem: DefinitionProblem): boolean {
  return rule === problem.rule && file === problem.file && pointer === getName(problem);
}

function getName({ name, pointer }: DefinitionProblem): string {
  return name ?? pointer;
}

/** Finds the finding that differs from a suppression in one part only, with the correction of that part. */
function findCorrection(
  { rule, file, pointer }: SuppressionEntry,
  found: readonly DefinitionProblem[],
): { readonly finding: DefinitionProblem; readonly hint: LocalizedText } | undefined {
  const beside = found.filter((problem) => problem.rule === rule && problem.file === file);
  const moved = beside.find((problem) => problem.pointer === pointer);
  if (moved)
    return {
      finding: moved,
      hint: localize`Items of lists are addressed by name: write "pointer": "${getName(moved)}".`,
    };
  const nearest = findNearestName(pointer, beside.map(getName));
  const misspelt = beside.find((problem) => getName(problem) === nearest);
  if (misspelt) return { finding: misspelt, hint: localize`Write "pointer": "${getName(misspelt)}".` };
  const finding = found.find(
    (problem) => getName(problem) === pointer && (problem.rule === rule) !== (problem.file === file),
  );
  if (!finding) return undefined;
  const hint =
    finding.rule === rule
      ? localize`Write "file": "${finding.file}".`
      : localize`Write "rule": "${finding.rule ?? ''}".`;
  return { finding, hint };
}
