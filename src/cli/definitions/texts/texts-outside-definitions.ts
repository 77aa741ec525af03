import { findPastedListMark, formatSpellingAdvice } from '../../../engine/compiler/lint/rules/texts/spelling.ts';
import {
  createUntranslatedCheck,
  explainUntranslated,
} from '../../../engine/compiler/lint/rules/texts/untranslated.ts';
import {
  explainMisplaced,
  findMisplacedTranslations,
} from '../../../engine/compiler/lint/rules/texts/exchanged-translations.ts';
import { createTranslationScorer } from '../../../engine/compiler/lint/wording/translation-scorer.ts';
import { createPastDateFinder } from '../../../engine/compiler/lint/wording/written-dates.ts';
import { createWordingValidator, type WordingRules } from '../../../engine/compiler/lint/wording/wording-faults.ts';
import { findOwnAddresses } from '../../../engine/compiler/lint/rules/texts/links.ts';
import { findUnitMismatches, findUnknownDurations } from '../../../engine/compiler/lint/rules/texts/durations.ts';
import type { LintOptions } from '../../../engine/compiler/lint/lint-options.ts';
import type { DefinitionProblem, ProblemSeverity } from '../../../engine/compiler/definitions.ts';
import { selectLocalizedText, type ProblemExplanation } from '../../../engine/compiler/sources/localized-text.ts';
import { createTermComparison, explainDifference } from '../../../engine/compiler/lint/wording/term-differences.ts';
import { createMisspellingFinder } from '../../../engine/compiler/lint/wording/misspelling-finder.ts';
import { listWordOccurrences } from '../../../engine/compiler/lint/wording/words.ts';
import { findMisleadingCharacter } from '../../../engine/compiler/sources/parse-source-file.ts';
import { listFiles, readTexts } from '../../project.ts';
import { findTextLanguage, type ProjectText, readLines, readTextTableFile } from './read-project-texts.ts';
import { explain, explainExchanged, localize } from '../localized-output.ts';
import { groupBy } from '../../../engine/core/json.ts';

interface TextPair {
  readonly original: ProjectText;
  readonly translation: ProjectText;
}

/** Minimum increase of a translation's score at which the translation and its original count as swapped. */
const minSwapGain = 0.2;

export const wordingGlossaryPath = 'src/brand/glossary.json';

const textTablePattern =
  /^(plugins\/[\w-]+\/texts\.json|src\/(server\/.*\/(texts|mails\/[\w-]+|categories|contact-subjects|scopes|statement)\.json|studio\/texts\.json|.*\/sentences\.json))$/;
/** Plain text and Markdown files. Their path contains the language. */
const documentPattern = /^src\/server\/(?:.*\/mails\/[\w-]+\.(\w+)\.txt|features\/content\/(\w+)\/\w+\/[\w-]+\.md)$/;

/**
 * `wording` has the rules by language, the base language first. The findings are in `language`. `paths` has the paths of the portal's pages, which
 * texts must not write as text.
 */
export async function findWordingProblems(
  root: string,
  wording: Readonly<Record<string, WordingRules>>,
  language: string,
  { spans, paths = [] }: Pick<LintOptions, 'spans'> & { readonly paths?: readonly string[] } = {},
): Promise<readonly DefinitionProblem[]> {
  const validators = new Map(Object.entries(wording).map(([name, own]) => [name, createWordingValidator(own)]));
  const { texts, swapped } = await readTextsToCheck(root, Object.keys(wording));
  return [
    ...swapped.map(({ original, translation }) => {
      const fault = explain`This text and ${original.file}:${original.line} are each in the language of the other.
        Swap them.`;
      return toProblem(translation, { rule: 'text/swapped', ...fault }, language);
    }),
    ...texts.flatMap((text) =>
      (validators.get(text.language)?.(text) ?? []).map((fault) =>
        toProblem({ ...text, column: text.column + (text.pointer === '' ? fault.at : 0) }, fault, language),
      ),
    ),
    ...Object.entries(wording).flatMap(([name, { calendar, until = [] }]) => {
      const findPastDates = calendar && until.length > 0 ? createPastDateFinder(calendar, until) : () => [];
      return texts
        .filter((text) => text.language === name)
        .flatMap((text) =>
          findPastDates(text.text).map((past) => toProblem(text, { rule: 'rule/past', ...past }, language)),
        );
    }),
    ...texts.flatMap((text) => {
      const units = text.readers === 'everybody' ? wording[text.language]?.spans : undefined;
      const faults = units
        ? [...findUnitMismatches(text.text, units), ...(spans ? findUnknownDurations(text.text, units, spans) : [])]
        : [];
      return faults.map((fault) => toProblem(text, { rule: 'text/limit', ...fault }, language));
    }),
    ...texts.flatMap((text) => {
      const [written] = text.readers === 'everybody' ? findOwnAddresses(text.text, paths) : [];
      if (!written) return [];
      const fault = explain`"${written[0]}" is the address of a page, and this text does not link to it.
        In a help page, write [the name of the page](${written[1]}). In another text, write only the name.`;
      return [toProblem(text, { rule: 'text/link', ...fault }, language)];
    }),
    ...findRepeatedTitles(texts, language),
    ...findUntranslatedTexts(texts, wording, language),
  ];
}

/** Returns all texts outside definitions, without those that are each in the language of the other. */
async function readTextsToCheck(root: string, languages: readonly string[]) {
  const all = await listTextsOutsideDefinitions(root, languages);
  const swapped = findSwappedTexts(all, languages);
  const isSwapped = (text: ProjectText) =>
    swapped.some(({ original, translation }) => [original, translation].includes(text));
  return { texts: all.filter((text) => !isSwapped(text)), swapped };
}

/** Omits misspelled words that other texts in their language contain, possibly in another form. `listTexts` returns these texts. */
export async function omitKnownWords(
  root: string,
  problems: readonly DefinitionProblem[],
  languages: readonly string[],
  listTexts: typeof listProjectTexts,
): Promise<readonly DefinitionProblem[]> {
  if (!problems.some(({ wordForms }) => wordForms)) return problems;
  const words = new Map<string, Set<string>>();
  for (const { language, text } of await listTexts(root, languages)) {
    const known = words.get(language) ?? new Set();
    for (const { word } of listWordOccurrences(text, [])) known.add(word);
    words.set(language, known);
  }
  const isKnown = ({ wordForms = [], ...place }: DefinitionProblem) =>
    wordForms.some((form) => words.get(findTextLanguage(place, languages))?.has(form));
  return problems.filter((problem) => !isKnown(problem));
}

/** Finds misspelled words and misleading characters in texts for users. */
export async function findSlips(root: string, wording: Readonly<Record<string, WordingRules>>, language: string) {
  const { texts } = await readTextsToCheck(root, Object.keys(wording));
  return Object.entries(wording).flatMap(([name, rules]) => {
    const own = texts.filter((text) => text.language === name && text.readers === 'everybody');
    const findMisspellings = createMisspellingFinder(
      own.map(({ text }) => text),
      rules,
    );
    return own.flatMap((text): readonly DefinitionProblem[] => {
      const hidden = text.pointer === '' ? findMisleadingCharacter(text.text, false) : null; // skips JSON files, because the parser checks their characters
      const pasted = hidden ?? findPastedListMark(text.text);
      if (pasted) return [toProblem(text, { rule: 'text/typed', ...pasted }, language)];
      return findMisspellings(text.text).map(({ at, word, instead, forms }) => {
        const message = localize`This says "${text.text.slice(at, at + word.length)}".`;
        const place = { ...text, column: text.column + (text.pointer === '' ? at : 0) };
        const fault = { rule: 'text/spelling', message, hint: formatSpellingAdvice(instead) };
        return { ...toProblem(place, fault, language), wordForms: forms };
      });
    });
  });
}

/** Finds help pages with the title of another one, from which they were probably copied. */
function findRepeatedTitles(texts: readonly ProjectText[], language: string): readonly DefinitionProblem[] {
  const titles = texts.filter(({ text }) => text.startsWith('titulo:'));
  return [...groupBy(titles, (title) => `${title.language} ${removeKey(title.text)}`).values()].flatMap(
    ([first, ...copies]) =>
      copies.map((copy) => {
        const fault = explain`"${removeKey(copy.text)}" is also the title of ${first?.file ?? ''}.
          Write in each title what its page is about.`;
        return toProblem(copy, { rule: 'ui/twice', ...fault }, language);
      }),
  );
}

function findUntranslatedTexts(
  texts: readonly ProjectText[],
  wording: Readonly<Record<string, WordingRules>>,
  language: string,
): readonly DefinitionProblem[] {
  const [base = '', ...others] = Object.keys(wording);
  return others.flatMap((other) => {
    const compareTerms = createTermComparison(wording[other]?.terms);
    const pairs = pairTranslations(texts, base, other).map(({ original, translation }) => ({
      original,
      translation,
      text: removeKey(original.text),
      translated: removeKey(translation.text),
    }));
    const isUntranslated = createUntranslatedCheck(pairs, wording[other], wording[base]);
    const differs = (one: TextPair, two: TextPair): boolean =>
      compareTerms(one.original.text, two.translation.text).length > 0;
    const differing = pairs.filter((pair) => differs(pair, pair));
    const findTwin = (own: TextPair) =>
      differing.find(
        (pair) => pair.translation.file === own.translation.file && !differs(own, pair) && !differs(pair, own),
      );
    const misplaced = new Map(findMisplacedTranslations(pairs, createTranslationScorer(pairs)));
    return pairs.flatMap((own) => {
      const { original, translation } = own;
      const twin = differing.includes(own) ? findTwin(own) : undefined;
      if (twin) {
        if (pairs.indexOf(twin) < pairs.indexOf(own)) return []; // reported at the first of the two
        const place = `${original.file}:${original.line}`;
        const fault = explainExchanged(translation.text, twin.translation.text, place);
        return toProblem(translation, { rule: 'text/exchanged', ...fault }, language);
      }
      if (misplaced.has(own)) {
        const source = misplaced.get(own);
        const fault = explainMisplaced(own, source && { ...source, file: source.original.file });
        return toProblem(translation, { rule: 'text/exchanged', ...fault }, language);
      }
      if (isUntranslated(own)) {
        const fault = explainUntranslated(own.text, wordingGlossaryPath);
        return toProblem(translation, { rule: 'text/same', ...fault }, language);
      }
      return compareTerms(own.text, own.translated).map((difference) =>
        toProblem(translation, { rule: 'text/pair', ...explainDifference(base, ...difference) }, language),
      );
    });
  });
}

/** Finds texts in the language of their translation, whose translation is in the language of the text. */
function findSwappedTexts(texts: readonly ProjectText[], [base = '', ...others]: readonly string[]) {
  return others.flatMap((other) => {
    const pairs = pairTranslations(texts, base, other);
    const fit = createTranslationScorer(
      pairs.map(({ original, translation }) => ({ text: original.text, translated: translation.text })),
    );
    return pairs.filter(
      ({ original, translation }) =>
        fit(translation.text, original.text) - fit(original.text, translation.text) >= minSwapGain,
    );
  });
}

/** Pairs the texts of tables, and the lines of documents, with their translations. Of documents of different lengths, only the titles and equal lines are paired. */
function pairTranslations(texts: readonly ProjectText[], base: string, other: string): readonly TextPair[] {
  const getName = (file: string) => file.replace(/(?<=[./])\w\w(?=[./])/, '');
  const lines = new Map(texts.flatMap((text) => (text.pointer === '' ? [[text.file, text.line]] : [])));
  const lengths = groupBy(lines.keys(), getName);
  const isAligned = (file: string) =>
    new Set(lengths.get(getName(file))?.map((version) => lines.get(version))).size === 1;
  const isTitle = (own: ProjectText) => own.line === 1 || own.text.startsWith('titulo:');
  const locate = (text: ProjectText) => {
    const { file, pointer, language } = text;
    if (pointer !== '') return `${file} ${`${pointer}/`.replace(`/${language}/`, '/')}`;
    if (isTitle(text)) return getName(file);
    return `${getName(file)} ${isAligned(file) ? text.line : text.text}`;
  };
  const compared = texts.filter((text) => [base, other].includes(text.language));
  const originals = new Map(compared.flatMap((text) => (text.language === base ? [[locate(text), text]] : [])));
  return compared.flatMap((translation) => {
    const original = translation.language === other ? originals.get(locate(translation)) : undefined;
    return original ? [{ original, translation }] : [];
  });
}

function removeKey(line: string): string {
  return line.replace(/^titulo: /, '');
}

function listFilesOutsideDefinitions(root: string): Promise<readonly string[]> {
  return listFiles(root, ['src', 'plugins'], (path) => documentPattern.test(path) || textTablePattern.test(path));
}

export async function readFilesOutsideDefinitions(root: string): Promise<readonly string[]> {
  const files = await listFilesOutsideDefinitions(root);
  return readTexts(root, files).map((text, index) => `${files[index] ?? ''}\n${text}`);
}

export async function listTextsOutsideDefinitions(root: string, languages: readonly string[]) {
  const files = await listFilesOutsideDefinitions(root);
  return files.flatMap((file) => {
    const [, ofMail, ofPage] = documentPattern.exec(file) ?? [];
    const own = ofMail ?? ofPage;
    if (own !== undefined) return languages.includes(own) ? readLines(root, file, own) : [];
    return readTextTableFile(root, file, languages);
  });
}

/** Returns all texts, including those of screens and shared definitions. `languages` has the base language first. */
export async function listProjectTexts(root: string, languages: readonly string[]): Promise<readonly ProjectText[]> {
  return [...(await listDefinitionTexts(root, languages)), ...(await listTextsOutsideDefinitions(root, languages))];
}

export async function listDefinitionTexts(root: string, languages: readonly string[]) {
  const files = await listFiles(root, ['schemas'], (path) =>
    /^schemas\/(?!_formats).*\/(?!schema\.).*\.json$/.test(path),
  );
  return files.flatMap((file) => readTextTableFile(root, file, [], findTextLanguage({ file, pointer: '' }, languages)));
}

export function toProblem(
  { file, line, column, pointer }: Pick<DefinitionProblem, 'file' | 'line' | 'column' | 'pointer'>,
  { rule, message, hint, severity = 'W' }: ProblemExplanation & { rule: string; severity?: ProblemSeverity },
  language: string,
): DefinitionProblem {
  const place = { file, line, column, pointer };
  return {
    rule,
    severity,
    ...place,
    message: selectLocalizedText(message, language),
    hint: selectLocalizedText(hint, language),
  };
}

export async function readJsonTextFiles(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const files = await listFiles(root, folders, (path) => /(?<!schema)\.json$/.test(path));
  return readTexts(root, files);
}
