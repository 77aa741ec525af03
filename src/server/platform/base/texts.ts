import texts from './texts.json' with { type: 'json' };
import { fill } from '../../../engine/core/messages.ts';
import type { Language } from '../../../contract/portal-config.ts';

const catalogue: Readonly<Record<Language, Readonly<Record<string, string>>>> = texts;

/** The text of a code in texts.json, its `{placeholders}` filled; the general text for a code that has none. */
export function textOf(
  code: string,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const own = catalogue[language];
  const text = Object.hasOwn(own, code) ? own[code] : own['error_interno'];
  return fill(text ?? code, values);
}
