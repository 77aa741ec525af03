import { UsageError } from '../command.ts';

/** The option by which a command is told what to write in. */
export const languageOption = { lang: { type: 'string', default: 'es' } } as const;

/** Reads it; throws a UsageError for a language that the commands do not speak. */
export function readLanguage(given: string): 'es' | 'en' {
  if (given === 'es' || given === 'en') return given;
  throw new UsageError(`There is no language ${given}: es or en.`);
}
