import { escapePointer, findByPointer } from '../../../../core/json-pointer.ts';
import { listDirectBranches } from '../../../../core/transition.ts';
import { explain, type ProblemExplanation } from '../../../sources/localized-text.ts';
import { explainDifference } from '../../wording/term-differences.ts';
import type { LintOptions } from '../../lint-options.ts';
import type { LintInput } from '../../lint-input.ts';
import {
  checkEachStateWith,
  checkEachTextByRulesWith,
  createDefinitionsLintRule,
  createFindingAt,
  readNothing,
} from '../../lint-rule.ts';
import { listNormalizedWords } from '../../wording/words.ts';

const dayMinutes = 24 * 60;

/** Explains the placeholders in a text whose name has another unit than the word after them, such as "{minutos} horas". */
export function findUnitMismatches(
  text: string,
  units: Readonly<Record<string, number>>,
): readonly ProblemExplanation[] {
  const words = Object.keys(units);
  const finder = new RegExp(String.raw`\{+(\w+)\}+\s+(${words.join('|')})(?!\p{L})`, 'giu');
  return [...text.matchAll(finder)].flatMap(([said, name = '', word = '']) => {
    const nameWords = listNormalizedWords(name.replaceAll('_', ' '));
    const own = words.find((unit) => listNormalizedWords(unit).every((part) => nameWords.includes(part)));
    if (own === undefined || units[own] === units[word.toLowerCase()]) return [];
    return explain`"${said}" has the wrong unit: the value is in ${own}.
      Write "${said.slice(0, -word.length)}${own}", or use a value in ${word}.`;
  });
}

/** Explains the durations in a text that the server does not use. `units` has the length of each unit in minutes. `spans` has the valid durations. */
export function findUnknownDurations(
  text: string,
  units: Readonly<Record<string, number>>,
  spans: NonNullable<LintOptions['spans']>,
): readonly ProblemExplanation[] {
  return listDurations(text, units).flatMap(({ said, unit, minutes: own }) => {
    const known = unit === dayMinutes ? spans.days : spans.shorter;
    if (known.includes(own)) return [];
    const times = new Set(known.map((minutes) => minutes / unit).filter((time) => Number.isInteger(time)));
    return explain`No time limit of the server is "${said}".
      Write the correct time limit, or a placeholder. Time limits in this unit: ${[...times].sort((a, b) => a - b).join(', ')}.`;
  });
}

/** Returns the durations in a text, with the length of their unit. `units` has the length of each unit in minutes. */
function listDurations(text: string, units: Readonly<Record<string, number>>) {
  const finder = new RegExp(String.raw`(?<![\d.,:])(\d+)\s+(${Object.keys(units).join('|')})(?!\p{L})`, 'giu');
  return [...text.matchAll(finder)].map(([said, number, word = '']) => {
    const unit = units[word.toLowerCase()] ?? 1;
    return { said, unit, minutes: Number(number) * unit };
  });
}

const otherSpans = checkEachTextByRulesWith(
  'text/limit spans',
  ({ contract: { spans, wording }, flows, set: { baseLanguage: base } }: LintInput) => {
    const saved = flows.flatMap(({ flow }) => (flow.save ? [flow.save.days * dayMinutes] : []));
    const all = spans && { ...spans, days: [...spans.days, ...saved] };
    return { spans: all, base, baseUnits: wording?.[base]?.spans ?? {} };
  },
  ({ spans: units }, { spans, base, baseUnits }) => {
    if (!spans || !units) return null;
    return ({ file, pointer, text, origin }) => {
      const there = listDurations(String(findByPointer(origin.file.value, origin.pointer)), baseUnits);
      for (const own of listDurations(text, units)) {
        const other = there.find(({ minutes, unit }) => minutes / unit === own.minutes / own.unit);
        if (other && there.every(({ minutes }) => minutes !== own.minutes))
          return createFindingAt({ file, pointer })(explainDifference(base, other.said, own.said));
      }
      return findUnknownDurations(text, units, spans).map(createFindingAt({ file, pointer }));
    };
  },
);

const wrongUnits = checkEachTextByRulesWith('text/limit units', readNothing, ({ spans: units }) =>
  units ? ({ file, pointer, text }) => findUnitMismatches(text, units).map(createFindingAt({ file, pointer })) : null,
);

/** Reports a delay whose notice states another duration. */
const noticeDelays = checkEachStateWith(({ state, screen, linted: { file } }, { contract, set }) => {
  const { event = '', secondsBefore } = state.after ?? {};
  const units = contract.wording?.[set.baseLanguage]?.spans;
  if (!units || secondsBefore === undefined) return null;
  const branches = listDirectBranches(state.on?.[event] ?? []);
  return branches
    .flatMap(({ notice = '' }) => screen?.ui.notices?.[notice]?.text ?? [])
    .flatMap((text) => listDurations(text, units))
    .filter(({ minutes }) => minutes * 60 !== secondsBefore)
    .map(({ said, minutes }) =>
      createFindingAt({ file, pointer: `/delays/${escapePointer(event)}/secondsBefore` })(explain`
        The notice of this delay says "${said}".
        Write ${minutes * 60}, or correct the notice in all languages.`),
    );
});

export const durationLintRule = createDefinitionsLintRule('text/limit', 'W', otherSpans, wrongUnits, noticeDelays);
