import { getNodeValue } from 'jsonc-parser';
import type { Flow } from '../../core/flow-and-screen-types.ts';
import { hashScreen, type CheckedScreen, type CheckedDefinitions } from '../intermediate-representation.ts';
import type { DefinitionProblem } from '../definitions.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import { replacePointerIndexesByNames, locatePointer, type SourceFile } from '../sources/source-file.ts';
import type { LintOptions } from './lint-options.ts';
import type { LintedFlow, LintInput } from './lint-input.ts';
import type { LintFinding, LintRule } from './lint-rule.ts';
import { lintRulesWithExploration, lintRulesWithoutExploration, misleadingRules } from './lint-rules.ts';
import { slowPatternLintRule } from './rules/dates-and-patterns.ts';
import { selectLocalizedText } from '../sources/localized-text.ts';
import { exploreFlow } from '../explore/explore-flow.ts';
import { groupBy, type Json } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { listPluginCacheInputs } from '../files/index-plugins.ts';
import { hashForUrl } from '../sources/hash-for-url.ts';

function findName({ tree }: LintFinding['file'], pointer: string): { readonly name?: string } {
  const name = tree && replacePointerIndexesByNames(getNodeValue(tree) as Json, pointer); // cast: the parser returns plain JSON values
  return name === undefined || name === pointer ? {} : { name };
}

/** Returns problems for slow patterns, which are errors even without the analysis. */
export function findSlowPatterns(
  { set, screens }: CheckedDefinitions,
  language: string,
  cache: DefinitionLoadCache,
): readonly DefinitionProblem[] {
  const contract = { operations: {}, commonErrors: [], blocks: {} };
  const subject = { set, cache, screens: indexById(screens), flows: [], contract, digest: '' };
  return applyRule(slowPatternLintRule, subject, language);
}

/** Applies every lint rule. Only explores flows whose findings are not cached. */
export function lintDefinitions(
  { set, screens, flows }: CheckedDefinitions,
  contract: LintOptions,
  { language, cache }: { readonly language: string; readonly cache: DefinitionLoadCache },
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
  const digest = hashForUrl([language, JSON.stringify(contract), ...listPluginCacheInputs(set.plugins)].join('\0'));
  const subject: LintInput = { set, cache, screens: byId, contract, digest, flows: flows.map(prepareFlow) };
  const shared = hashFiles([...set.shared.values(), ...set.sharedTexts.values(), ...set.commonTexts.values()]);
  const findInPart = (name: string, inputs: readonly string[], part: LintInput, rules: readonly LintRule[]) =>
    cache.getStoredOrCompute(
      `${name} ${part.flows.map(({ flow }) => flow.id).join(' ')}`,
      [...inputs, ...listPartTexts(part)],
      () => rules.flatMap((rule) => applyRule(rule, part, language)),
    );
  const parts = splitByScreens(subject);
  const local = lintRulesWithoutExploration.filter(({ scope }) => scope === 'local');
  const texts = screens.flatMap(({ files }) => [files.ui, ...files.translations.values()]);
  const inputs = {
    texts: [digest, shared, hashFiles(texts)],
    definitions: [digest, shared, hashForUrl(listPartTexts(subject).join('\0')), new Date().toDateString()], // some rules compare dates with the current one
  };
  const found = [
    ...parts.flatMap((part) => {
      const ofPart = findInPart('local findings', [digest, shared], part, local);
      const isMisled = ofPart.some(({ rule }) => misleadingRules.includes(rule ?? ''));
      const explored = isMisled ? [] : findInPart('explored findings', [digest], part, lintRulesWithExploration);
      return [...explored, ...ofPart];
    }),
    ...lintRulesWithoutExploration.flatMap((rule) =>
      rule.scope === 'local'
        ? []
        : cache.getStoredOrCompute(`findings ${rule.id}`, inputs[rule.scope], () => applyRule(rule, subject, language)),
    ),
  ];
  const distinct = new Map(
    found.map((problem) => [`${problem.rule ?? ''} ${problem.file} ${problem.pointer} ${problem.message}`, problem]),
  );
  return dropExplained([...distinct.values()]);
}

function listShown({ states }: Flow): ReadonlySet<string> {
  return new Set(Object.values(states).flatMap(({ screen }) => screen ?? []));
}

/** Splits the definitions into parts that share no screens. Local rules have the same findings in each part as in all definitions together. */
function splitByScreens(subject: LintInput): readonly LintInput[] {
  const parts: { flows: LintedFlow[]; shown: ReadonlySet<string> }[] = [];
  for (const linted of subject.flows) {
    const shown = listShown(linted.flow);
    const joined = parts.filter((part) => [...shown].some((screen) => part.shown.has(screen)));
    for (const part of joined) parts.splice(parts.indexOf(part), 1);
    const all = joined.flatMap((part) => [...part.shown]);
    parts.push({ flows: [...joined.flatMap(({ flows }) => flows), linted], shown: new Set([...all, ...shown]) });
  }
  const hidden = [...subject.screens.keys()].filter((id) => !parts.some(({ shown }) => shown.has(id)));
  if (hidden.length > 0) parts.push({ flows: [], shown: new Set(hidden) });
  return parts.map(({ flows, shown }) => ({
    ...subject,
    flows,
    screens: new Map([...subject.screens].filter(([id]) => shown.has(id))),
  }));
}

function hashFiles(files: readonly Pick<SourceFile, 'path' | 'text'>[]): string {
  return hashForUrl(files.map(({ path, text }) => `${path}\0${text}`).join('\0'));
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

/** Maps a lint rule to the rules whose findings at the same or a related location make its finding redundant. Redundant findings are dropped. */
const explainingRules: Readonly<Record<string, readonly string[]>> = {
  'rule/choice': ['data/literal'],
  'rule/constant': ['rule/choice', 'data/fact'],
  'walk/branch': ['rule/choice'],
  'walk/outcome': ['text/intent'],
  'walk/state': ['walk/circle', 'rule/choice'],
  'walk/target': ['operation/result', 'rule/choice'],
  'walk/part': ['rule/choice', 'rule/constant'],
  'data/dropped': ['ui/consent', 'data/twice', 'ui/unused', 'data/literal'],
  'ui/autocomplete': ['ui/unused'],
  'ui/twice': ['text/exchanged'],
  'text/language': ['text/same'],
  'text/name': ['text/language', 'text/same', 'text/link', 'text/number'],
  'text/plain': ['text/language', 'text/same', 'text/link', 'text/number', 'text/spelling'],
  'text/spelling': ['text/language', 'text/same'],
  'text/quotes': ['text/same'],
  'text/advice': ['text/exchanged', 'text/same'],
  'text/limit': ['text/hours'],
  'text/pair': ['text/exchanged'],
  'text/typed': ['text/link', 'text/markup'],
  'text/voice': ['text/placeholder', 'text/language', 'text/same', 'text/spelling'],
};

/** Rules that compare a text with its translation. */
const comparingRules = ['text/pair', 'text/exchanged'];

function dropExplained(found: readonly DefinitionProblem[]): readonly DefinitionProblem[] {
  const faults = found.filter(
    ({ rule = '', severity }) => severity !== 'N' && /^text\/|^ui\/(?:choices|buttons)$/.test(rule),
  );
  const dropped = groupBy(
    found.filter(({ rule }) => rule === 'data/dropped'),
    ({ file, pointer }) => `${file} ${pointer}`,
  );
  const repeated = new Set([...dropped.values()].flatMap(([, ...others]) => others)); // the states that show a field lose it for the same reason
  const copies = new Set(found.filter(({ rule }) => rule === 'ui/copy').map(({ file }) => file)); // a copied screen repeats all its texts
  const once = found.filter(
    (problem) =>
      !repeated.has(problem) &&
      !(problem.rule === 'text/again' && [problem, ...(problem.related ?? [])].some(({ file }) => copies.has(file))),
  );
  return once.filter(
    ({ rule = '', file, pointer, related = [] }) =>
      // omit a difference between two texts if another finding explains it as a fault in one of them
      !(
        comparingRules.includes(rule) &&
        [{ file, pointer }, ...related].some((place) =>
          faults.some(
            (other) =>
              !comparingRules.includes(other.rule ?? '') &&
              explainingRules[other.rule ?? '']?.includes(rule) !== true &&
              other.file === place.file &&
              `${place.pointer}/`.startsWith(`${other.pointer}/`),
          ),
        )
      ) &&
      !found.some(
        (other) =>
          explainingRules[rule]?.includes(other.rule ?? '') &&
          [{ file, pointer }, ...related].some((place) =>
            [other, ...(other.related ?? [])].some(
              (cause) =>
                (cause.file === other.file || other.rule !== 'text/same') && // an untranslated text does not make its original faulty
                cause.file === place.file &&
                cause.pointer.startsWith(place.pointer),
            ),
          ),
      ),
  );
}

function applyRule(
  { id: rule, severity, findViolations: find }: LintRule,
  subject: LintInput,
  language: string,
): readonly DefinitionProblem[] {
  return [...find(subject)].map(({ file, pointer, message, hint, path, related = [], fix, wordForms }) => ({
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
    ...(wordForms && { wordForms }),
  }));
}
