import { fillPlaceholders } from '../engine/core/messages.ts';
import type { ScreenCaseFault } from './dev-page-data.ts';
import texts from './texts.json' with { type: 'json' };

/** Returns a text of the developer pages. These pages exist only in Spanish. */
export function t(key: keyof typeof texts.es, values: Readonly<Record<string, string | number>> = {}): string {
  return fillPlaceholders(texts.es[key], values);
}

/** Returns the text of a computed key. Returns `undefined` if there is none. */
export function findTextByComputedKey(key: string, values?: Parameters<typeof t>[1]): string | undefined {
  return Object.hasOwn(texts.es, key) ? t(key as keyof typeof texts.es, values) : undefined;
}

export function getFlagTitle(name: string): string {
  return findTextByComputedKey(`flag-${name}`) ?? name;
}

export function describeScreenCaseFault(fault: ScreenCaseFault): string {
  if (fault.kind !== 'differs') return t(fault.kind, fault);
  const { expected, actual } = fault;
  const field = fault.field || t('form');
  if (actual === '') return t('differsMissing', { field, expected });
  return expected === '' ? t('differsUnexpected', { field, actual }) : t('differs', { field, expected, actual });
}
