import type { Localized } from '../../../engine/compiler/sources/say.ts';
import { say } from './content-file.ts';
import type { SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject } from '../../../engine/core/json.ts';
import { foldText } from '../../../contract/fold-text.ts';
import type { ReadFile } from './check-set.ts';

/** Vocabulary of the help search, relative to the project. */
export const searchFile = 'src/brand/search.json';

type Report = (pointer: string, message: Localized, hint: Localized) => void;

const keys = ['same', 'asked', 'ignored', 'suggested'] as const;

/** Checks the vocabulary of the help search: keys, slugs, and groups of words that match no question. */
export function checkSearch(
  { value }: SourceFile,
  { read, languages }: { readonly read: readonly ReadFile[]; readonly languages: readonly string[] },
  report: Report,
): void {
  for (const [language, words] of Object.entries(isObject(value) ? value : {})) {
    const at = `/${escapePointer(language)}`;
    if (language === '$comment') continue;
    if (!languages.includes(language))
      report(at, say`There is no language "${language}".`, say`Known: ${languages.join(', ')}.`);
    else checkWords(words, at, selectQuestions(language, read), report);
  }
}

function selectQuestions(language: string, read: readonly ReadFile[]): readonly ReadFile[] {
  return read.filter((file) => file.kind === 'pregunta' && file.language === language);
}

function checkWords(words: unknown, at: string, questions: readonly ReadFile[], report: Report): void {
  if (!isObject(words)) return report(at, say`These are no words of the search.`, say`Known: ${keys.join(', ')}.`);
  for (const key of Object.keys(words)) {
    if (!keys.some((known) => known === key))
      report(`${at}/${escapePointer(key)}`, say`Unknown key "${key}".`, say`Known: ${keys.join(', ')}.`);
  }
  const asked = isObject(words['asked']) ? words['asked'] : {};
  for (const slug of Object.keys(asked)) checkSlug(slug, `${at}/asked/${escapePointer(slug)}`, questions, report);
  for (const [index, slug] of textsIn(words['suggested']).entries())
    checkSlug(slug, `${at}/suggested/${index}`, questions, report);
  checkGroups(words['same'], `${at}/same`, saidIn(questions, asked), report);
}

function checkSlug(slug: string, pointer: string, questions: readonly ReadFile[], report: Report): void {
  if (!questions.some(({ name }) => name === slug))
    report(pointer, say`There is no question "${slug}".`, say`Name the file of a question, without ".md".`);
}

/** Returns the searchable words of the questions, folded. */
function saidIn(questions: readonly ReadFile[], asked: object): string {
  const texts = questions.map(({ head }) => `${String(head.values['titulo'])} ${head.body}`);
  return ` ${foldText([...texts, ...Object.values(asked).flatMap(textsIn)].join(' ')).replace(/[^a-z0-9]+/g, ' ')} `;
}

function checkGroups(groups: unknown, at: string, said: string, report: Report): void {
  const seen = new Map<string, number>();
  for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
    const words = textsIn(group).map(foldText);
    for (const [place, word] of words.entries()) {
      const pointer = `${at}/${index}/${place}`;
      if (/\s/.test(word))
        report(
          pointer,
          say`"${word}" is more than a word.`,
          say`Write it in "asked", at the question that it asks for.`,
        );
      if (seen.get(word) === index) report(pointer, say`"${word}" stands twice.`, say`Remove one of them.`);
      seen.set(word, index);
    }
    if (!words.some((word) => said.includes(` ${word}`)))
      report(
        `${at}/${index}`,
        say`These words lead nowhere: no question says any of them.`,
        say`Add a word that a question says, or remove the group.`,
      );
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
