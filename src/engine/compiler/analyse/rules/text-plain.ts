import { escapePointer } from '../../../core/json-pointer.ts';
import { textTable } from '../../files/text-table.ts';
import type { Localized } from '../../localized.ts';
import { pairsOf, textsOf } from '../../shared/texts.ts';
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
      filesIn(language, subject).flatMap(([base, file]) =>
        textsIn(base, file, subject).flatMap(([pointer, text]) =>
          wrongIn(text, plain).map(([message, hint]): Finding => ({ file, pointer, message, hint })),
        ),
      ),
    ),
};

/** The files of a language, each behind the one that it translates: itself in the base language. */
function filesIn(
  language: string,
  { set, screens }: Subject,
): readonly (readonly [base: SourceFile, file: SourceFile])[] {
  const isBase = language === set.baseLanguage;
  const others = set.languages.slice(1).map((other) => `.${other}.json`);
  const shared = new Map([...set.shared, ...set.sharedTexts]);
  const ofLanguage = (files: ReadonlyMap<string, SourceFile>) =>
    [...files].flatMap(([name, base]) => {
      if (others.some((end) => name.endsWith(end))) return [];
      const file = isBase ? base : files.get(name.replace(/json$/, `${language}.json`));
      return file ? [[base, file] as const] : [];
    });
  const own = [...screens.values()].flatMap(({ files: { ui, translations } }) => {
    const file = isBase ? ui : translations.get(language);
    return ui && file ? [[ui, file] as const] : [];
  });
  return [...ofLanguage(shared), ...ofLanguage(set.commonTexts), ...own];
}

function textsIn(
  base: SourceFile,
  file: SourceFile,
  { set }: Subject,
): readonly (readonly [pointer: string, text: string])[] {
  if ([...set.commonTexts.values()].includes(file))
    return Object.entries(textTable(file)).map(([key, text]) => [`/${escapePointer(key)}`, text]);
  if (file === base) return [...textsOf(file.value)];
  return pairsOf(base.value, file.value).flatMap(({ address, translated }) =>
    translated === undefined ? [] : [[address, translated] as const],
  );
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
