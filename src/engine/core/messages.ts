import { formatNumber } from './values/numbers.ts';
import type { CompiledScreen } from './compiled-screen.ts';

export interface FieldFault {
  readonly keyword: string;
  readonly reason?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** The screen's messages of the field take precedence over the catalogue. In both, the most specific key is used: `keyword.reason` before `keyword`. */
export function formatFieldFault(
  screen: Pick<CompiledScreen, 'ui' | 'messages' | 'language'>,
  field: string,
  fault: FieldFault,
): string {
  const own = screen.ui.messages?.[field] ?? {};
  const parts = [fault.keyword, ...(fault.reason ? fault.reason.split('.') : [])];
  const keys = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
  const template = findFirst(own, keys) ?? findFirst(screen.messages, keys) ?? fault.keyword;
  const values = Object.entries(fault.values ?? {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? formatNumber(value, screen.language) : value,
  ]);
  return fillPlaceholders(template, Object.fromEntries(values) as Readonly<Record<string, unknown>>);
}

/** Message key for fields with disabled copying (`"copy": false` in `ui:options`). */
export const noCopyMessageKey = 'noCopy';

/** Message keys of choices that depend on other fields: no choice is available, or the chosen one is no longer available. */
export const [noOptionsMessageKey, optionGoneMessageKey] = ['options.none', 'options.gone'] as const;

/** Fills `{name}` placeholders. Replaces unknown ones with an empty text. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === null ? '' : String(value);
  });
}

/** Prevents line breaks inside a phone number (`+598 999 999 99`), and between a number and its abbreviation (`N.º 18.331`) or unit (`10:30 hs`). */
export function preventLineBreaks(text: string): string {
  return text.replace(/(\d|n\.?º) (?=\d|hs\b)/gi, '$1\u00a0');
}

/**
 * Like `preventLineBreaks`, and also prevents a line break after the hyphen of `e-mail`, with an invisible word joiner. Do not use it for accessible
 * names, because the joiner would break comparisons with typed text. Leaves e-mail addresses unchanged, so that they can be copied.
 */
export function preventLineBreaksInProse(text: string): string {
  return preventLineBreaks(text).replace(/(?<![\w.@-])(e-)(?=mails?\b(?![@.-]\w))/gi, '$1\u2060');
}

export function listPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

export function hasPlaceholderValues(text: string, values: Readonly<Record<string, unknown>>): boolean {
  return listPlaceholders(text).every((name) => typeof values[name] === 'string' || typeof values[name] === 'number');
}

function findFirst(table: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined {
  return keys.map((key) => (Object.hasOwn(table, key) ? table[key] : undefined)).find((text) => text !== undefined);
}
