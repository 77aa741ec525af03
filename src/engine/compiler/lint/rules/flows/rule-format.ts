import { isObject, type Json } from '../../../../core/json.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { Localized } from '../../../localized.ts';
import type { SourceFile } from '../../../sources/source-file.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';

/** The pattern of a date that says something else than was meant: minutes for months, letters that stand for nothing, or another order than elsewhere. */
export const ruleFormat: LintRule<Subject> = {
  id: 'rule/format',
  severity: 'W',
  find: ({ flows, screens }) => {
    const files = [...flows.map(({ file }) => file), ...[...screens.values()].flatMap(({ files: { ui } }) => ui ?? [])];
    const all = files.flatMap(patternsIn);
    const order = usualOrder(all.map(({ pattern }) => pattern));
    return all.flatMap((one) => ofPattern(one, order));
  },
};

interface Placed extends Pick<Finding, 'file' | 'pointer'> {
  readonly pattern: string;
}

function patternsIn(file: SourceFile): readonly Placed[] {
  const found: Placed[] = [];
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

/** What people write for a part of a date, and the one that is known. */
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

function ofPattern({ pattern, ...place }: Placed, order: Order | null): readonly Finding[] {
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
  order: Order | null,
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
  if (order === null || orderOf(pattern) === null || orderOf(pattern) === order) return null;
  const swapped: Readonly<Record<string, string>> = { DD: 'MM', MM: 'DD' };
  return {
    message: say`Everywhere else a date is written with its ${order === 'DM' ? say`day` : say`month`} first.`,
    mended: pattern.replace(/DD|MM/g, (part) => swapped[part] ?? part),
  };
}

type Order = 'DM' | 'MD';

function orderOf(pattern: string): Order | null {
  if (/DD.*MM/.test(pattern)) return 'DM';
  return /MM.*DD/.test(pattern) && !/YYYY.*MM/.test(pattern) ? 'MD' : null;
}

/** The order of the days and months of all dates but for one or two; null: there is none. */
function usualOrder(patterns: readonly string[]): Order | null {
  const orders = patterns.map(orderOf);
  const [days, months] = (['DM', 'MD'] as const).map((order) => orders.filter((one) => one === order).length);
  if ((days ?? 0) > 2 * (months ?? 0)) return 'DM';
  return (months ?? 0) > 2 * (days ?? 0) ? 'MD' : null;
}
