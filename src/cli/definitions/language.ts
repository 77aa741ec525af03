import { UsageError } from '../command.ts';
import { explainWith, sayWith } from '../../engine/compiler/sources/say.ts';
import sentences from './sentences.json' with { type: 'json' };

export const say = sayWith(sentences);
export const explain = explainWith(say);

export const languageOption = { lang: { type: 'string', default: 'es' } } as const;

export function readLanguage(given: string): 'es' | 'en' {
  if (given === 'es' || given === 'en') return given;
  throw new UsageError(`There is no language ${given}: es or en.`);
}
