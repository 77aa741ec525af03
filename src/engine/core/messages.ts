import { writeNumber } from './values/numbers.ts';
import type { ScreenData } from './screen.ts';

/** Why a field's value is refused. */
export interface Fault {
  readonly keyword: string;
  readonly reason?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * The sentence for a fault: the screen's own for that field, else the catalogue's; by `keyword.reason` before `keyword`, and by each part of a reason that has dots.
 * The compiler guarantees one for every keyword of the screen. Its numbers are written in the language of the screen.
 */
export function faultMessage(
  screen: Pick<ScreenData, 'ui' | 'messages' | 'language'>,
  field: string,
  fault: Fault,
): string {
  const own = screen.ui.messages?.[field] ?? {};
  const parts = [fault.keyword, ...(fault.reason ? fault.reason.split('.') : [])];
  const keys = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
  const template = first(own, keys) ?? first(screen.messages, keys) ?? fault.keyword;
  const values = Object.entries(fault.values ?? {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? writeNumber(value, screen.language) : value,
  ]);
  return fill(template, Object.fromEntries(values) as Readonly<Record<string, unknown>>);
}

/** Key of what is said of a field that may not be copied (`"copy": false` in its `ui:options`). */
export const copyKeyword = 'noCopy';

/** Keys of what is said of choices that follow other fields: none is offered, or what was chosen is offered no more. */
export const [optionsNone, optionsGone] = ['options.none', 'options.gone'] as const;

/** Fills `{name}` placeholders; an unknown one becomes empty. */
export function fill(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === null ? '' : String(value);
  });
}

/**
 * A sentence as it is drawn. No line of it ends inside a number: a phone number (`+598 999 999 99`), one with its abbreviation (`N.º 18.331`) or its
 * unit (`10:30 hs`); nor behind the hyphen of `e-mail`, where a word joiner stands, which nobody sees or hears. An address stays as it is, to be copied.
 */
export function unbroken(sentence: string): string {
  return sentence
    .replace(/(\d|n\.?º) (?=\d|hs\b)/gi, '$1\u00a0')
    .replace(/(?<![\w.@-])(e-)(?=mails?\b(?![@.-]\w))/gi, '$1\u2060');
}

/** The placeholders of a text. */
export function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** Whether a text is complete with what is known: each of its placeholders names a text or a number. */
export function isKnown(text: string, values: Readonly<Record<string, unknown>>): boolean {
  return placeholders(text).every((name) => typeof values[name] === 'string' || typeof values[name] === 'number');
}

function first(table: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined {
  return keys.map((key) => (Object.hasOwn(table, key) ? table[key] : undefined)).find((text) => text !== undefined);
}
