import type { CheckedScreen } from '../ir.ts';
import type { Problem, Severity } from '../definitions.ts';
import type { FileSet } from '../files/read-set.ts';
import type { LoadCache } from '../sources/load-cache.ts';
import { placeIn, type SourceFile } from '../sources/source-file.ts';
import type { ExpandedFlow } from '../flow/expand-flow.ts';
import type { LintOptions } from './options.ts';
import type { Finding, LintedFlow, LintedScreen, Subject } from './subject.ts';
import { rules } from './rules.ts';
import { ruleSlow } from './rules/rule-slow.ts';
import { inLanguage } from '../localized.ts';
import { explore } from '../explore/explore.ts';

/** Returns slow patterns, which are refused even without the analysis. */
export function slowPatterns(set: FileSet, screens: readonly CheckedScreen[], language: string): readonly Problem[] {
  return [...ruleSlow.find({ screens: linted(set, screens) })].map((finding) =>
    problemOf(ruleSlow.id, ruleSlow.severity, finding, language),
  );
}

/** Explores every flow and applies every lint rule. */
export function lint(
  set: FileSet,
  screens: readonly CheckedScreen[],
  flows: readonly (ExpandedFlow & { readonly file: SourceFile })[],
  options: LintOptions,
  { language, cache }: { readonly language: string; readonly cache: LoadCache },
): readonly Problem[] {
  const lintedScreens = linted(set, screens);
  const subject: Subject = {
    set,
    screens: lintedScreens,
    contract: options,
    flows: flows.map((expanded): LintedFlow => {
      const { flow } = expanded;
      const shown = new Set(Object.values(flow.states).flatMap(({ screen }) => screen ?? []));
      const inputs = [flow, options, set.plugins, ...screens.filter(({ id }) => shown.has(id))];
      const exploration = cache.once(`explore ${flow.id}`, inputs, () =>
        explore(flow, { ...options, screens: lintedScreens }),
      );
      return { ...expanded, exploration };
    }),
  };
  const found = rules.flatMap(({ id, severity, find }) =>
    [...find(subject)].map((finding) => problemOf(id, severity, finding, language)),
  );
  const distinct = new Map(
    found.map((problem) => [`${problem.rule ?? ''} ${problem.file} ${problem.pointer} ${problem.message}`, problem]),
  );
  return explained([...distinct.values()]);
}

/** Rules that explain a finding of another rule at the same location. The explained finding is dropped. */
const explainedBy: Readonly<Record<string, readonly string[]>> = {
  'rule/constant': ['rule/choice'],
  'walk/part': ['rule/choice', 'rule/constant'],
  'data/dropped': ['ui/consent'],
};

function explained(found: readonly Problem[]): readonly Problem[] {
  return found.filter(
    ({ rule = '', file, pointer }) =>
      !found.some(
        (other) =>
          explainedBy[rule]?.includes(other.rule ?? '') && other.file === file && other.pointer.startsWith(pointer),
      ),
  );
}

function linted(set: FileSet, screens: readonly CheckedScreen[]): ReadonlyMap<string, LintedScreen> {
  return new Map(
    screens.flatMap((screen): [string, LintedScreen][] => {
      const files = set.screens.find(({ id }) => id === screen.id);
      return files ? [[screen.id, { ...screen, files }]] : [];
    }),
  );
}

function problemOf(rule: string, severity: Severity, finding: Finding, language: string): Problem {
  const { file, pointer, message, hint, walk: trail, related, fix } = finding;
  return {
    rule,
    severity,
    file: file.path,
    ...placeIn(file, pointer),
    pointer,
    message: inLanguage(message, language),
    hint: inLanguage(hint, language),
    ...(trail === undefined ? {} : { walk: trail }),
    ...(related && related.length > 0 ? { related } : {}),
    ...(fix ? { fix } : {}),
  };
}
