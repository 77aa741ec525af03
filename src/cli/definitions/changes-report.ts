import type { Change } from '../../engine/compiler/compare/change.ts';
import { sentences } from '../../engine/compiler/localized.ts';
import texts from './texts.json' with { type: 'json' };

const t = sentences(texts);

/** Changes as a list for people, under a heading for those that break something and one for the others. */
export function listOf(changes: readonly Change[], language: 'es' | 'en'): string {
  const part = (breaking: boolean) => {
    const own = changes.filter((change) => change.breaking === breaking);
    const lines = own.map(({ where, text }) => `  ${where}: ${text[language]}\n`);
    return own.length === 0 ? '' : `${t(breaking ? 'breaking' : 'other')[language]}\n${lines.join('')}`;
  };
  return changes.length === 0 ? `${t('none')[language]}\n` : part(true) + part(false);
}
