import type { Json } from '../../../core/json.ts';
import { placeholders } from '../../../core/messages.ts';
import { textsOf } from '../../shared/texts.ts';
import type { AnalysisRule, Finding } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A translation that says other variables, other numbers, or ends with another sign. */
export const textPair: AnalysisRule<Subject> = {
  id: 'text/pair',
  severity: 'W',
  find: ({ screens, set }) =>
    [...screens.values()].flatMap(({ files }) =>
      [...files.translations].flatMap(([, patch]): readonly Finding[] => {
        const base = textsOf((files.ui?.value ?? {}) as Json);
        return [...textsOf(patch.value)].flatMap(([pointer, text]) => {
          const own = base.get(pointer);
          return own === undefined
            ? []
            : differences(own, text).map(([inBase, inOther]) => ({
                file: patch,
                pointer,
                message: say`It says something else than in "${set.baseLanguage}": there ${inBase}, here ${inOther}.`,
                hint: say`Translate it again.`,
                related: [{ file: files.ui?.path ?? '', pointer }],
              }));
        });
      }),
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
