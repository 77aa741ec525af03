import aliases from './name-aliases.json' with { type: 'json' };
import sentences from './sentences.json' with { type: 'json' };

type Sentences = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Tag<Made> = (words: readonly string[], ...values: readonly (string | number | LocalizedText)[]) => Made;

/** Language of the sentences in the code. */
export const { sourceLanguage } = sentences;

const builtInTranslations: Sentences = sentences.translated;

/** Returns `requested` if there are translations in this language, or else the language of the sentences in the code. */
export function resolveLanguage(requested: string = sourceLanguage): string {
  return Object.hasOwn(builtInTranslations, requested) ? requested : sourceLanguage;
}

/** Translates a sentence from data, such as a format's description, and appends a space. Empty if there is no translation. */
export function translateSentence(text: string): LocalizedText {
  const others = Object.entries(builtInTranslations).map(([language, table]) => [
    language,
    table[text] === undefined ? '' : `${table[text]} `,
  ]);
  return Object.fromEntries([[sourceLanguage, `${text} `], ...others]) as LocalizedText;
}

/** Joins alternatives with "or". */
export function formatAlternatives([first = '', ...others]: readonly (string | LocalizedText)[]): LocalizedText {
  return others.reduce<LocalizedText>((all, one) => localize`${all} or ${one}`, localize`${first}`);
}

/**
 * Returns a template tag that builds a sentence in every language. `sentences` has the caller's translations, keyed by the sentence with {1}, {2} as
 * placeholders. Translations of the compiler's own sentences are built in. A sentence without a translation stays untranslated, and a test reports
 * it.
 */
export function createLocalizeTag(sentences: Sentences): Tag<LocalizedText> {
  return (words, ...values) => {
    const template = words.reduce((sentence, part, index) => `${sentence}{${index}}${part}`);
    const fill = (sentence: string, language: string) =>
      sentence.replace(/\{(\d+)\}/g, (_, place: string) => {
        const value = values[Number(place) - 1] ?? '';
        return typeof value === 'object' ? selectLocalizedText(value, language) : String(value);
      });
    return Object.fromEntries([
      [sourceLanguage, fill(template, sourceLanguage)],
      ...Object.entries(builtInTranslations).map(([language, table]) => [
        language,
        fill(sentences[language]?.[template] ?? table[template] ?? template, language),
      ]),
    ]) as LocalizedText;
  };
}

/** Builds a sentence of the compiler in every language. */
export const localize = createLocalizeTag({});

/** Diagnosis of a problem, and its remedy. */
export interface ProblemExplanation {
  readonly message: LocalizedText;
  readonly hint: LocalizedText;
}

/** Returns a template tag that builds an explanation. The last two lines of the template are its sentences. */
export function createExplainTag(localize: Tag<LocalizedText>): Tag<ProblemExplanation> {
  return ([first = '', ...others], ...values) => {
    const words = [first.replace(/^\n\s*/, ''), ...others];
    const at = words.findIndex((part) => part.includes('\n'));
    const [end = '', start = ''] = words[at]?.split(/\n\s*/) ?? [];
    return {
      message: localize([...words.slice(0, at), end], ...values.slice(0, at)),
      hint: localize([start, ...words.slice(at + 1)], ...values.slice(at)),
    };
  };
}

export const explain = createExplainTag(localize);

/** A text in each language of the analysts' tools. */
export type LocalizedText = Readonly<Record<string, string>>;

/** Returns the text in a language. Returns an empty text if there is none. */
export function selectLocalizedText(text: LocalizedText, language: string): string {
  return text[language] ?? '';
}

const aliasEntries: readonly (readonly [name: string, aliases: readonly string[]])[] = Object.entries(aliases);

/** Whether people write `alias` for a name, in Spanish or in the words of another tool. */
function isAlias(alias: string, name: string): boolean {
  const plain = alias.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return aliasEntries.some(([own, others]) => own === name && others.includes(plain));
}

/** Returns the known name that a wrong name means: its translation, or the most similar one. Returns `undefined` if there is none. */
export function findNearestName(wrong: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  return names.find((name) => isAlias(wrong, name)) ?? findSimilarName(wrong, names);
}

function findSimilarName(wrong: string, known: readonly string[]): string | undefined {
  const words = splitWords(wrong);
  const candidates = known
    .filter((name) => !isOpposite(wrong, name))
    .map((name) => ({
      name,
      changes: computeEditDistance(wrong.toLowerCase(), name.toLowerCase()),
      sharedWords: rankSharedWords(wrong, name),
    }))
    .filter(({ name, changes, sharedWords }) => sharedWords > 0 || changes <= countAllowedEdits(wrong, name))
    .sort(
      (a, b) =>
        b.sharedWords - a.sharedWords ||
        a.changes - b.changes ||
        Number(isSameStart(wrong, b.name)) - Number(isSameStart(wrong, a.name)),
    );
  const isShortFor = (name: string) => wrong.length >= 3 && name.toLowerCase().startsWith(wrong.toLowerCase());
  return (
    candidates[0]?.name ??
    known.find(isShortFor) ??
    (words.length > 1 ? known.find((name) => words.includes(name.toLowerCase())) : undefined)
  );
}

/** Returns 2 if `name` consists of the words of `wrong`, as "/contacto" of "contacto", 1 if it has others too, as "aviso-listo" of "aviso", else 0. */
function rankSharedWords(wrong: string, name: string): number {
  const [words, others] = [splitWords(wrong), splitWords(name)];
  if (!` ${others.join(' ')} `.includes(` ${words.join(' ')} `)) return 0;
  return others.length === words.length ? 2 : 1;
}

/** Whether one of two names is the other one after "no", as in "noAgregada", which means the opposite. */
function isOpposite(one: string, other: string): boolean {
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length);
  return long === `no${short}` || long === `no_${short}` || long === `no-${short}`;
}

/** Allows fewer edits if the first letter differs, because typing errors are rare there. */
function countAllowedEdits(wrong: string, name: string): number {
  return isSameStart(wrong, name) ? Math.ceil(wrong.length / 3) : Math.max(1, Math.ceil(wrong.length / 4) - 1);
}

function isSameStart(wrong: string, name: string): boolean {
  return wrong.charAt(0).toLowerCase() === name.charAt(0).toLowerCase();
}

/** Returns the words of a name such as `registro-correo` or `registroCorreo`. */
function splitWords(name: string): readonly string[] {
  return (
    name
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? []
  );
}

/** Returns the question "Did you mean …?" with a space at the end. Returns an empty text if no known name is similar. */
export function suggestSimilarName(wrong: string, known: Iterable<string>): LocalizedText {
  const nearest = findNearestName(wrong, known);
  return nearest === undefined ? localize`` : localize`Did you mean "${nearest}"? `;
}

/** Returns the name that a missing name probably has now: the most similar unused name, or the only one. */
export function findRenamed(missing: string, unused: readonly string[]): string | undefined {
  return findNearestName(missing, unused) ?? (unused.length === 1 ? unused[0] : undefined);
}

export function suggestSimilarOrKnownNames(wrong: string, known: Iterable<string>): LocalizedText {
  const names = [...known];
  return localize`${suggestSimilarName(wrong, names)}Known: ${listNearNames(wrong, names)}.`;
}

/** Maximum number of names in a message. */
const maxListedNames = 8;

/** Lists the known names. If there are many, lists only those that are most similar to the wrong name. */
export function listNearNames(wrong: string, known: Iterable<string>): LocalizedText {
  const names = [...new Set(known)];
  if (names.length === 0) return localize`none`;
  if (names.length <= maxListedNames + 1) return localize`${names.join(', ')}`;
  const nearest = names
    .map((name) => ({ name, changes: computeEditDistance(wrong.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.changes - b.changes)
    .slice(0, maxListedNames)
    .map(({ name }) => name);
  const listed = names.filter((name) => nearest.includes(name));
  return localize`${listed.join(', ')} and ${names.length - listed.length} more`;
}

/** Returns the Levenshtein distance of two texts. */
export function computeEditDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, sign] of [...from].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === sign ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
