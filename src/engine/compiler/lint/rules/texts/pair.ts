import { placeholders } from '../../../../core/messages.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { say } from '../../../sources/say.ts';
import { pairedTexts } from '../../wording/paired-texts.ts';

/** A translation that says other variables, other numbers, or ends with another sign. */
export const textPair: LintRule<Subject> = {
  id: 'text/pair',
  severity: 'W',
  find: (subject) =>
    subject.set.languages.slice(1).flatMap((language) =>
      pairedTexts(language, subject).flatMap(({ file, pointer, base, text, translated }) =>
        differences(text, translated, isQuoted(text, subject)).map(([inBase, inOther]): Finding => ({
          file,
          pointer,
          message: say`It says something else than in "${subject.set.baseLanguage}": there ${inBase}, here ${inOther}.`,
          hint: say`Translate it again.`,
          related: [base],
        })),
      ),
    ),
};

// Wording that somebody else laid down is not to be mended by its translation's sign.
function isQuoted(text: string, { contract, set }: Subject): boolean {
  return contract.wording?.[set.baseLanguage]?.quoted.includes(text) ?? false;
}

function differences(own: string, other: string, isQuotation: boolean): readonly (readonly [string, string])[] {
  const facts = [
    (text: string) => [...placeholders(text)].sort().map((name) => `{${name}}`),
    (text: string) => (text.replace(/\{\w+\}/g, '').match(/\d+/g) ?? []).sort(),
    (text: string) => (isQuotation ? [] : (/[.:?!…]$/.exec(text.trim()) ?? [])),
  ];
  return facts
    .map((fact) => [fact(own).join(' ') || '–', fact(other).join(' ') || '–'] as const)
    .filter(([a, b]) => a !== b);
}
