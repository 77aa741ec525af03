import { walkJson } from '../../../core/json-pointer.ts';
import { type JsonObject, isObject } from '../../../core/json.ts';
import { flattenFields, annotationKeywords } from '../../screen/schema-fields.ts';
import { type ProblemExplanation, explain, localize, type LocalizedText } from '../../sources/localized-text.ts';
import {
  checkEachFieldWith,
  checkEachStateWith,
  checkEachTextByRulesWith,
  createFieldLintRule,
  createFindingAt,
  createDefinitionsLintRule,
} from '../lint-rule.ts';
import { readFieldUi, findFieldUiText } from '../../../core/screen-ui-queries.ts';
import { createPastDateFinder } from '../wording/written-dates.ts';
import { createWordFinder } from '../wording/words.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { selectDefaultWidget } from '../../../core/built-in-widgets.ts';
import { findPatternLengthRange, findSlowPatternCharacter } from '../../sources/regexp-analysis.ts';

const ruleFormat = createDefinitionsLintRule('rule/format', 'W', function* ({ flows, screens }) {
  const files = [...flows.map(({ file }) => file), ...[...screens.values()].map(({ files: { ui } }) => ui)];
  const all = files.flatMap(listDatePatterns);
  const order = findUsualOrder(all.map(({ pattern }) => pattern));
  for (const { pattern, place } of all) {
    const fault = findPatternFault(pattern, order);
    if (fault)
      yield createFindingAt({ ...place, value: fault.mended })(explain`${fault.message}
        Write "${fault.mended}".`);
  }
});

function listDatePatterns(file: SourceFile) {
  return [...(file.text.includes('"formatDate"') ? walkJson(file.value) : [])].flatMap(([pointer, node]) => {
    const operands = isObject(node) ? node['formatDate'] : undefined;
    const pattern: unknown = Array.isArray(operands) ? operands[1] : undefined;
    return typeof pattern === 'string' ? [{ pattern, place: { file, pointer: `${pointer}/formatDate/1` } }] : [];
  });
}

/** Common misspellings in date formats, with the correct part. */
const misspelledParts: Readonly<Record<string, string>> = {
  hh: 'HH',
  H: 'HH',
  dd: 'DD',
  ddd: 'dddd',
  M: 'MM',
  yy: 'YYYY',
  yyyy: 'YYYY',
  YY: 'YYYY',
  SS: 'ss',
};

function findPatternFault(pattern: string, order: DateOrder | null): { message: LocalizedText; mended: string } | null {
  const strange = pattern.match(/\p{L}+/gu)?.find((part) => Object.hasOwn(misspelledParts, part));
  if (strange !== undefined)
    return {
      message: localize`"${strange}" is not part of a date format: it is displayed as text.`,
      mended: pattern.replace(/\p{L}+/gu, (part) =>
        Object.hasOwn(misspelledParts, part) ? (misspelledParts[part] ?? '') : part,
      ),
    };
  if (/(?:DD|YYYY)[^\p{L}]{0,2}mm|mm[^\p{L}]{0,2}(?:DD|YYYY)/u.test(pattern))
    return { message: localize`"mm" means minutes, but it is next to a day.`, mended: pattern.replace(/mm/, 'MM') };
  if (/HH[^\p{L}]{0,2}MM/u.test(pattern))
    return {
      message: localize`"MM" means the month, but it follows the hours.`,
      mended: pattern.replace(/(HH[^\p{L}]{0,2})MM/u, '$1mm'),
    };
  if (order === null || findDateOrder(pattern) === null || findDateOrder(pattern) === order) return null;
  return {
    message: localize`Dates elsewhere begin with the ${order === 'DM' ? localize`day` : localize`month`}.`,
    mended: pattern.replace(/DD|MM/g, (part) => (part === 'DD' ? 'MM' : 'DD')),
  };
}

type DateOrder = 'DM' | 'MD';

function findDateOrder(pattern: string): DateOrder | null {
  if (/DD.*MM/.test(pattern)) return 'DM';
  return /MM.*DD/.test(pattern) && !/YYYY.*MM/.test(pattern) ? 'MD' : null;
}

/** Returns the order of day and month that most patterns have. Returns `null` if there is none. */
function findUsualOrder(patterns: readonly string[]): DateOrder | null {
  const count = (order: DateOrder) => patterns.filter((pattern) => findDateOrder(pattern) === order).length;
  const [days, months] = [count('DM'), count('MD')];
  return days > 2 * months ? 'DM' : months > 2 * days ? 'MD' : null;
}

const ruleDate = createFieldLintRule(
  'rule/date',
  'W',
  ({ name, schema, screen: { ui }, locate }, { contract, set }) => {
    const title = findFieldUiText(ui, name, 'ui:title') ?? '';
    const isFree = Object.keys(schema).every(
      (keyword) => unconstrainingKeywords.has(keyword) || annotationKeywords.includes(keyword),
    );
    const isDrawn =
      readFieldUi(ui, name)['ui:readonly'] !== true && findFieldUiText(ui, name, 'ui:widget') !== 'hidden';
    if (schema.type !== 'string' || !isFree || !isDrawn) return null;
    if (createWordFinder(contract.wording?.[set.baseLanguage]?.dates ?? [])(title).length === 0) return null;
    const place = locate('type');
    const at = place.pointer.replace(/type$/, 'format');
    return createFindingAt({ ...place, fix: [{ file: place.file.path, pointer: at, value: 'date' }] })(explain`
    "${title}" asks for a date but accepts any text.
    Write "format": "date".`);
  },
);

/** Keywords that do not constrain the format of a text. */
const unconstrainingKeywords = new Set(['type', 'minLength', 'maxLength', 'default']);

function isPastDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && Date.parse(value) < Date.now();
}

const pastPrefills = checkEachStateWith(function* ({ state: { prefill = {} }, screen, locate }) {
  const fields = flattenFields(screen?.schema ?? {});
  for (const [field, value] of Object.entries(prefill))
    if (fields[field] && isPastDate(value))
      yield createFindingAt(locate('prefill', field))(explain`The initial value is a date that has passed: ${value}.
        Use a variable or a fact as the initial value, or leave it empty.`);
});

const pastLimits = checkEachFieldWith(({ schema: { calendarDate }, locate }) => {
  if (!isObject(calendarDate)) return null;
  const { from, to } = calendarDate;
  if (typeof from === 'string' && typeof to === 'string' && from > to)
    return createFindingAt(locate('calendarDate/from'))(explain`No date is accepted: "from" is after "to".
      Write the earlier date in "from".`);
  if (!isPastDate(to)) return null;
  return createFindingAt(locate('calendarDate/to'))(explain`No future date is accepted: "to" has passed (${to}).
    Write a later date, or remove "to".`);
});

/** Reports deadlines in texts that have passed. */
const pastDeadlines = checkEachTextByRulesWith(
  'rule/past',
  () => new Date().toDateString(), // checks all texts again every day
  ({ until = [], calendar }) => {
    if (until.length === 0 || !calendar) return null;
    const findPastDates = createPastDateFinder(calendar, until);
    return function* ({ file, pointer, text }) {
      for (const past of findPastDates(text)) yield createFindingAt({ file, pointer })(past);
    };
  },
);

const pastDateRule = createDefinitionsLintRule('rule/past', 'W', pastPrefills, pastLimits, pastDeadlines);

export const slowPatternLintRule = createFieldLintRule(
  'rule/slow',
  'E',
  ({ schema: { pattern }, file, pointer }, { cache }) => {
    if (typeof pattern !== 'string') return null;
    const sign = cache.getStoredOrCompute(`slow pattern ${pattern}`, [], () => findSlowPatternCharacter(pattern));
    if (sign === null) return null;
    return createFindingAt({
      file,
      pointer: `${pointer}/pattern`,
    })(explain`This pattern takes too long for many "${sign}" in a row.
    Make each character match in only one way: no repetition inside or right after another one of the same characters.`);
  },
);

const rulePattern = createFieldLintRule('rule/pattern', 'W', ({ name, schema, screen, locate }) => {
  const { pattern } = schema;
  if (typeof pattern !== 'string') return null;
  const fault =
    findSlashes(pattern) ??
    findMixedCaseRange(pattern) ??
    findMissingAnchor(pattern) ??
    findFormatConflict(schema, findFieldUiText(screen.ui, name, 'ui:widget')) ??
    findLengthConflict(schema);
  return fault && createFindingAt({ ...locate('pattern'), value: fault.mended })(fault);
});

interface PatternFault extends ProblemExplanation {
  readonly mended?: string;
}

function findSlashes(pattern: string): PatternFault | null {
  const inside = /^\/(.+)\/[a-z]*$/.exec(pattern)?.[1];
  if (inside === undefined) return null;
  const problem = explain`The slashes around this pattern are part of it: a text without them is rejected.
    Write it without slashes.`;
  return { ...problem, mended: inside };
}

function findMixedCaseRange(pattern: string): PatternFault | null {
  const [range] = /A-z/.exec(pattern) ?? [];
  if (range === undefined) return null;
  const problem = explain`"A-z" also matches the characters between Z and a: [ \\ ] ^ _ and the grave accent.
    Write A-Za-z.`;
  return { ...problem, mended: pattern.replaceAll('A-z', 'A-Za-z') };
}

/** Pattern of a character, class or group with a quantifier, at the start of a pattern. */
const repeatedStart = /^(?:\[(?:\\.|[^\]\\])*\]|\((?:\\.|[^()\\])*\)|\\[pP]\{[^}]*\}|\\.|[^\\()[\]{}|^$])[+*?{]/;

function findMissingAnchor(pattern: string): PatternFault | null {
  const [isBound, isEnded] = [pattern.startsWith('^'), /(?<!\\)\$$/.test(pattern)];
  const parts = splitAlternatives(pattern);
  if (parts.length > 1 && isBound && isEnded && parts.some((part) => !part.startsWith('^') || !part.endsWith('$')))
    return {
      message: localize`"^" and "$" each apply to only one of the alternatives: the others match anywhere in a text.`,
      hint: localize`Put the alternatives in parentheses: ^(?:a|b)$.`,
      mended: `^(?:${pattern.slice(1, -1)})$`,
    };
  const isAny = (part: string) => /^(?:\.|\[\\s\\S\])[*+]/.test(part) || /(?:\.|\[\\s\\S\])[*+]$/.test(part);
  const opensBefore = !isBound && repeatedStart.test(pattern);
  const opensBehind = !isEnded && /(?:[+*]|\{\d+(?:,\d*)?\})$/.test(pattern);
  if ((!opensBefore && !opensBehind) || isAny(pattern)) return null;
  return {
    message: localize`This pattern is not anchored at both ends: it accepts a text that only contains a match.`,
    hint: localize`Write ^ at the beginning and $ at the end.`,
    mended: parts.length > 1 ? `^(?:${pattern})$` : `${isBound ? '' : '^'}${pattern}${isEnded ? '' : '$'}`,
  };
}

/** Splits a pattern at each `|` outside of brackets. */
function splitAlternatives(pattern: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu) ?? []) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] = `${parts.at(-1) ?? ''}${sign}`;
  }
  return parts;
}

/** Typical values, by format or widget. */
const samples: Readonly<Record<string, readonly string[]>> = {
  email: ['ana@correo.uy', 'ana.perez@correo.com.uy', 'a1@b2.org'],
  date: ['2026-01-31', '1999-12-01'],
  uri: ['https://www.correo.uy/ayuda', 'https://correo.uy'],
  uuid: ['0b5e2a1c-7f5d-4c8e-9a2b-1d3f5a7c9e0f', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ipv4: ['192.168.0.1', '10.0.0.20'],
};

function findFormatConflict(field: JsonObject, widget: string = selectDefaultWidget(field)): PatternFault | null {
  const { pattern, format } = field;
  const kind = typeof format === 'string' && Object.hasOwn(samples, format) ? format : widget;
  const known = Object.hasOwn(samples, kind) ? samples[kind] : undefined;
  const expression = new RegExp(String(pattern), 'u');
  if (!known || known.some((sample) => expression.test(sample))) return null;
  return explain`This pattern rejects a valid value of the field: "${known[0] ?? ''}" (${kind}).
    Write a pattern that accepts it, or use another format or widget.`;
}

function findLengthConflict({ pattern, minLength, maxLength }: JsonObject): PatternFault | null {
  const lengths = findPatternLengthRange(String(pattern));
  if (!lengths) return null;
  const isTooLong = typeof maxLength === 'number' && lengths.min > maxLength;
  const isTooShort = typeof minLength === 'number' && lengths.max < minLength;
  if (!isTooLong && !isTooShort) return null;
  return {
    message: isTooLong
      ? localize`This field cannot be filled in: the pattern requires ${lengths.min} characters, but "maxLength" allows ${Number(maxLength)}.`
      : localize`This field cannot be filled in: the pattern allows ${lengths.max} characters, but "minLength" requires ${Number(minLength)}.`,
    hint: localize`Change one of the two.`,
  };
}

export const dateAndPatternLintRules = [slowPatternLintRule, rulePattern, pastDateRule, ruleFormat, ruleDate];
