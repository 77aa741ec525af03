import { placeholders } from '../../../core/messages.ts';
import { pairsOf } from '../../shared/texts.ts';
import type { AnalysisRule, Finding } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A translation that says other variables, other numbers, or ends with another sign. */
export const textPair: AnalysisRule<Subject> = {
  id: 'text/pair',
  severity: 'W',
  find: ({ screens, set }) =>
    [...screens.values()].flatMap(({ files }) =>
      [...files.translations.values()].flatMap((file) =>
        pairsOf(files.ui?.value ?? {}, file.value).flatMap(({ pointer, address, text, translated = text }) =>
          differences(text, translated).map(([inBase, inOther]): Finding => ({
            file,
            pointer: address,
            message: say`It says something else than in "${set.baseLanguage}": there ${inBase}, here ${inOther}.`,
            hint: say`Translate it again.`,
            related: [{ file: files.ui?.path ?? '', pointer }],
          })),
        ),
      ),
    ),
};

function differences(own: string, other: string): readonly (readonly [string, string])[] {
  const facts = [
    (text: string) => [...placeholders(text)].sort().map((name) => `{${name}}`),
    (text: string) => (text.replace(/\{\w+\}/g, '').match(/\d+/g) ?? []).sort(),
    (text: string) => /[.:?!…]$/.exec(text.trim()) ?? [],
  ];
  return facts
    .map((fact) => [fact(own).join(' ') || '–', fact(other).join(' ') || '–'] as const)
    .filter(([a, b]) => a !== b);
}
