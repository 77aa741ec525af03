import { escapePointer } from '../../../core/json-pointer.ts';
import { textTable } from '../../files/text-table.ts';
import type { Localized } from '../../localized.ts';
import { textsOf } from '../../shared/texts.ts';
import { say } from '../../sources/say.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { AnalysisRule, Finding } from '../finding.ts';
import { lengthOf, sentencesOf, without, wordsIn, type PlainWords } from '../plain-words.ts';
import type { Subject } from '../subject.ts';

/** A text that not everybody understands at once: a long sentence, a word of the trade, another way to speak to who reads. */
export const textPlain: AnalysisRule<Subject> = {
  id: 'text/plain',
  severity: 'W',
  find: (subject) =>
    Object.entries(subject.contract.plain ?? {}).flatMap(([language, plain]) =>
      filesIn(language, subject).flatMap((file) =>
        textsIn(file, subject).flatMap(([pointer, text]) =>
          wrongIn(text, plain).map(([message, hint]): Finding => ({ file, pointer, message, hint })),
        ),
      ),
    ),
};

function filesIn(language: string, { set, screens }: Subject): readonly SourceFile[] {
  const isBase = language === set.baseLanguage;
  const others = set.languages.slice(1).map((other) => `.${other}.json`);
  const shared = [...set.shared.values(), ...set.sharedTexts.values(), ...set.commonTexts.values()].filter(
    ({ path }) => (isBase ? others.every((end) => !path.endsWith(end)) : path.endsWith(`.${language}.json`)),
  );
  const own = [...screens.values()].flatMap(
    ({ files }) => (isBase ? files.ui : files.translations.get(language)) ?? [],
  );
  return [...shared, ...own];
}

function textsIn(file: SourceFile, { set }: Subject): readonly (readonly [pointer: string, text: string])[] {
  const isCommon = [...set.commonTexts.values()].includes(file);
  if (!isCommon) return [...textsOf(file.value)];
  return Object.entries(textTable(file)).map(([key, text]) => [`/${escapePointer(key)}`, text]);
}

function wrongIn(text: string, { longest, refused, quoted }: PlainWords): readonly (readonly [Localized, Localized])[] {
  const own = without(text, quoted);
  return [
    ...sentencesOf(own)
      .map(lengthOf)
      .filter((length) => length > longest)
      .map((length) => [say`A sentence of ${length} words.`, say`Make two of it.`] as const),
    ...refused.flatMap(({ words, instead }) => {
      const word = wordsIn(words, own);
      return word === undefined ? [] : [[say`This says "${word}".`, say`${instead}`] as const];
    }),
  ];
}
