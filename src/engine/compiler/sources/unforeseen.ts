import type { Problem } from '../definitions.ts';
import { inLanguage } from '../localized.ts';
import { languageOf, say } from './say.ts';

/** Wraps an unforeseen error in a problem. */
export function unforeseen(error: unknown, file: string, language?: string): Problem {
  const told = languageOf(language);
  return {
    file,
    line: 1,
    column: 1,
    pointer: '',
    message: inLanguage(say`Something unforeseen: ${String(error)}.`, told),
    hint: inLanguage(say`Undo the last change and make it again in smaller steps.`, told),
  };
}
