import { escapePointer } from '../../../core/json-pointer.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { listAllFields, flattenFields, notes } from '../../screen/fields-of-schema.ts';
import { say } from '../../sources/say.ts';
import { type Finding, type Subject, setRule } from '../subject.ts';
import { placeInSchema } from '../places.ts';
import { textsIn } from '../wording/read-texts.ts';
import { readFieldUi, uiText } from '../../../core/ui.ts';
import { wordFinder } from '../wording/own-words.ts';
import type { Localized } from '../../localized.ts';
import type { SourceFile } from '../../sources/source-file.ts';

/** Reports date patterns with likely mistakes: minutes instead of months, unknown letters, or another order than in most patterns. */
export const ruleFormat = setRule('rule/format', 'W', ({ flows, screens }) => {
  const files = [...flows.map(({ file }) => file), ...[...screens.values()].flatMap(({ files: { ui } }) => ui ?? [])];
  const all = files.flatMap(patternsIn);
  const order = usualOrder(all.map(({ pattern }) => pattern));
  return all.flatMap((one) => checkPattern(one, order));
});

interface LocatedPattern extends Pick<Finding, 'file' | 'pointer'> {
  readonly pattern: string;
}

function patternsIn(file: SourceFile): readonly LocatedPattern[] {
  const found: LocatedPattern[] = [];
  const visit = (node: Json | undefined, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { formatDate: operands }: { readonly formatDate?: Json } = isObject(node) ? node : {};
    const pattern = Array.isArray(operands) ? (operands[1] as Json) : undefined;
    if (typeof pattern === 'string') found.push({ file, pointer: `${pointer}/formatDate/1`, pattern });
    for (const [key, part] of Object.entries(node)) visit(part as Json, `${pointer}/${escapePointer(key)}`);
  };
  if (file.text.includes('"formatDate"')) visit(file.value, '');
  return found;
}

/** Common misspellings of pattern parts. */
const meant: Readonly<Record<string, string>> = {
  hh: 'HH',
  H: 'HH',
  dd: 'DD',
  ddd: 'dddd',
  D: 'DD',
  M: 'MM',
  yy: 'YYYY',
  yyyy: 'YYYY',
  YY: 'YYYY',
  SS: 'ss',
};

function checkPattern({ pattern, ...place }: LocatedPattern, order: DateOrder | null): readonly Finding[] {
  const fault = faultIn(pattern, order);
  if (!fault) return [];
  const { mended, message } = fault;
  return [
    {
      ...place,
      message,
      hint: say`Write "${mended}".`,
      fix: [{ file: place.file.path, pointer: place.pointer, value: mended }],
    },
  ];
}

function faultIn(
  pattern: string,
  order: DateOrder | null,
): { readonly message: Localized; readonly mended: string } | null {
  const unknown = /\p{L}+/gu;
  const strange = pattern.match(unknown)?.find((part) => Object.hasOwn(meant, part));
  if (strange !== undefined)
    return {
      message: say`"${strange}" stands for nothing in a date: it is read as it is.`,
      mended: pattern.replace(unknown, (part) => (Object.hasOwn(meant, part) ? (meant[part] ?? '') : part)),
    };
  if (/(?:DD|YYYY)[^\p{L}]{0,2}mm|mm[^\p{L}]{0,2}(?:DD|YYYY)/u.test(pattern))
    return { message: say`"mm" are the minutes, beside a day.`, mended: pattern.replace(/mm/, 'MM') };
  if (/HH[^\p{L}]{0,2}MM/u.test(pattern))
    return {
      message: say`"MM" is the month, behind the hours.`,
      mended: pattern.replace(/(HH[^\p{L}]{0,2})MM/u, '$1mm'),
    };
  if (order === null || findDateOrder(pattern) === null || findDateOrder(pattern) === order) return null;
  const swapped: Readonly<Record<string, string>> = { DD: 'MM', MM: 'DD' };
  return {
    message: say`Everywhere else a date is written with its ${order === 'DM' ? say`day` : say`month`} first.`,
    mended: pattern.replace(/DD|MM/g, (part) => swapped[part] ?? part),
  };
}

type DateOrder = 'DM' | 'MD';

function findDateOrder(pattern: string): DateOrder | null {
  if (/DD.*MM/.test(pattern)) return 'DM';
  return /MM.*DD/.test(pattern) && !/YYYY.*MM/.test(pattern) ? 'MD' : null;
}

/** Returns the order of day and month in most dates, or `null`. */
function usualOrder(patterns: readonly string[]): DateOrder | null {
  const orders = patterns.map(findDateOrder);
  const [days, months] = (['DM', 'MD'] as const).map((order) => orders.filter((one) => one === order).length);
  if ((days ?? 0) > 2 * (months ?? 0)) return 'DM';
  return (months ?? 0) > 2 * (days ?? 0) ? 'MD' : null;
}

/** Reports fields that ask for a date but accept any text. */
export const ruleDate = setRule('rule/date', 'W', (subject) => {
  const saidIn = wordFinder(subject.contract.wording?.[subject.set.baseLanguage]?.dates ?? []);
  return [...subject.screens.values()].flatMap(({ schema, ui, files }) =>
    listAllFields(schema ?? {}).flatMap(([name, field, , pointer]) => {
      const title = uiText(ui, name, 'ui:title') ?? '';
      const isFree = Object.keys(field).every((keyword) => free.has(keyword) || notes.includes(keyword));
      const isDrawn = readFieldUi(ui, name)['ui:readonly'] !== true && uiText(ui, name, 'ui:widget') !== 'hidden';
      if (!files.schema || field.type !== 'string' || !isFree || !isDrawn || saidIn(title).length === 0) return [];
      const place = placeInSchema(subject, files.schema, `${pointer}/type`);
      const at = place.pointer.replace(/type$/, 'format');
      return {
        ...place,
        message: say`"${title}" asks for a date, and takes any text.`,
        hint: say`Write "format": "date".`,
        fix: [{ file: place.file.path, pointer: at, value: 'date' }],
      };
    }),
  );
});

/** Keywords that do not constrain the shape of a text. */
const free = new Set(['type', 'minLength', 'maxLength', 'default']);

/** Reports literal dates in the past: as initial values, as latest allowed dates, or as deadlines in texts. */
export const rulePast = setRule('rule/past', 'W', (subject) => [
  ...checkPrefills(subject),
  ...checkRules(subject),
  ...checkTexts(subject),
]);

function hasPassed(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && Date.parse(value) < Date.now();
}

function checkPrefills({ flows, screens }: Subject): readonly Finding[] {
  return flows.flatMap(({ flow, file, toSourcePointer }) =>
    Object.entries(flow.states).flatMap(([state, { prefill = {}, screen = '' }]) => {
      const fields = flattenFields(screens.get(screen)?.schema ?? {});
      return Object.entries(prefill)
        .filter(([field, value]) => fields[field] && hasPassed(value))
        .map(([field, value]) => ({
          file,
          pointer: toSourcePointer(`/states/${escapePointer(state)}/prefill/${escapePointer(field)}`),
          message: say`The form begins with a day that has passed: ${String(value)}.`,
          hint: say`Let it begin with a variable or a fact, or empty.`,
        }));
    }),
  );
}

function checkRules(subject: Subject): readonly Finding[] {
  return [...subject.screens.values()].flatMap(({ schema, files }) =>
    listAllFields(schema ?? {}).flatMap(([, { calendarDate }, , pointer]) => {
      if (!files.schema || !isObject(calendarDate)) return [];
      const { from, to } = calendarDate;
      if (typeof from === 'string' && typeof to === 'string' && from > to)
        return {
          ...placeInSchema(subject, files.schema, `${pointer}/calendarDate/from`),
          message: say`No day is taken: "from" is after "to".`,
          hint: say`Write the earlier day in "from".`,
        };
      if (!hasPassed(to)) return [];
      return {
        ...placeInSchema(subject, files.schema, `${pointer}/calendarDate/to`),
        message: say`No day from now on is taken: "to" has passed (${to}).`,
        hint: say`Write a later day, or remove "to".`,
      };
    }),
  );
}

/** Finds dates after a word such as "until", as in "hasta el 31/12/2024". */
function checkTexts(subject: Subject): readonly Finding[] {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, { until = [] }]) => {
    if (until.length === 0) return [];
    const ends = new RegExp(String.raw`(?<!\p{L})(?:${until.join('|')}) (\d{1,2})/(\d{1,2})/(\d{4})(?!\d)`, 'giu');
    return textsIn(language, subject).flatMap(({ file, pointer, text }) =>
      (text.includes('/') ? [...text.matchAll(ends)] : []).flatMap(([said, day = '', month = '', year = '']) =>
        hasPassed([year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'))
          ? {
              file,
              pointer,
              message: say`"${said}": that day has passed.`,
              hint: say`Write a later day, or a placeholder of the flow, or remove the text.`,
            }
          : [],
      ),
    );
  });
}
