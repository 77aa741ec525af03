import { UsageError } from '../command.ts';

export const languageOption = { lang: { type: 'string', default: 'es' } } as const;

export function readLanguage(given: string): 'es' | 'en' {
  if (given === 'es' || given === 'en') return given;
  throw new UsageError(`There is no language ${given}: es or en.`);
}
