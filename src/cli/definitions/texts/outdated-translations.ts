import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { isTypo } from '../../../engine/compiler/lint/wording/misspelling-finder.ts';
import { listNormalizedWords, splitSentences } from '../../../engine/compiler/lint/wording/words.ts';
import { explain } from '../localized-output.ts';
import { findReplacedWord } from './misspelt-changes.ts';
import type { TextChange } from './text-changes.ts';
import { toProblem } from './texts-outside-definitions.ts';

/** Finds translations that have not changed, although the words of their original have. `base` is the language of the originals. The findings are in `language`. */
export function findOutdatedTranslations(
  changes: readonly TextChange[],
  base: string,
  language: string,
): readonly DefinitionProblem[] {
  return changes
    .filter((change) => change.language === base && normalize(change.text) !== normalize(change.before))
    .flatMap(({ file, pointer, text, before, others }) =>
      others
        .filter((other) => other.text === other.before)
        .map((other) => {
          const replaced = findReplacedWord(listNormalizedWords(before), listNormalizedWords(text));
          const typo = replaced && isTypo(replaced.word, replaced.before) ? replaced : null;
          const isNew = (sentence: string) => !normalize(before).includes(normalize(sentence));
          const count = splitSentences(other.text).length;
          const lacksSentence = count === splitSentences(before).length && count !== splitSentences(text).length;
          const fault = typo
            ? explain`The original of this translation now says "${typo.word}", and said "${typo.before}".
              Correct it if it is misspelt. Otherwise translate it again if the meaning has changed.`
            : explain`The original of this translation now says "${splitSentences(text).find(isNew) ?? text}", but the translation has not changed.
              Translate it again if the meaning has changed.`;
          const kind = lacksSentence
            ? ({ rule: 'text/incomplete', severity: 'W' } as const)
            : ({ rule: 'text/outdated', severity: 'N' } as const);
          const problem = toProblem(other, { ...kind, ...fault }, language);
          return { ...problem, ...(other.file !== file && { related: [{ file, pointer }] }) };
        }),
    );
}

function normalize(text: string): string {
  return listNormalizedWords(text).join(' ');
}
