import type { Change } from '../../engine/compiler/compare/change.ts';
import { say } from '../../engine/compiler/sources/say.ts';

/** Changes as a list for people, under a heading for those that break something and one for the others. */
export function listOf(changes: readonly Change[], language: 'es' | 'en'): string {
  const part = (breaking: boolean) => {
    const own = changes.filter((change) => change.breaking === breaking);
    const lines = own.map(({ where, text }) => `  ${where}: ${text[language]}\n`);
    return own.length === 0
      ? ''
      : `${(breaking ? say`Breaks something that was:` : say`Breaks nothing:`)[language]}\n${lines.join('')}`;
  };
  return changes.length === 0 ? `${say`Nothing changed.`[language]}\n` : part(true) + part(false);
}
