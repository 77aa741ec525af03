import searchWords from '../../brand/search.json' with { type: 'json' };
import { foldAccentsAndCase } from '../../contract/fold-text.ts';

export interface SearchableFaq {
  readonly slug: string;
  readonly titulo: string;
  readonly respuesta: string;
}

export interface FaqSearchVocabulary {
  /** Groups of synonyms. Each synonym is a single word. */
  readonly same: readonly (readonly string[])[];
  /** Typical search phrases for each question, by the slug of the question. */
  readonly asked: Readonly<Record<string, readonly string[]>>;
  readonly ignored: readonly string[];
  readonly suggested: readonly string[];
}

export interface FaqSearch<Faq> {
  find(typed: string): readonly Faq[];
  readonly suggested: readonly Faq[];
}

const noSearchWords: FaqSearchVocabulary = { same: [], asked: {}, ignored: [], suggested: [] };

/** Creates the search for a language, with the synonyms and suggestions of `src/brand/search.json`. */
export function createFaqSearch<Faq extends SearchableFaq>(faqs: readonly Faq[], language: string): FaqSearch<Faq> {
  const { $comment: _comment, ...languages } = searchWords;
  const words = (languages as Readonly<Record<string, FaqSearchVocabulary>>)[language] ?? noSearchWords;
  return {
    find: createFaqSearchFunction(faqs, words),
    suggested: words.suggested.flatMap((slug) => faqs.find((faq) => faq.slug === slug) ?? []),
  };
}

/** Score of a matching word by the field in which it occurs. */
const weights = { asked: 4, title: 3, answer: 1 } as const;
const synonymWeight = 0.9;
const prefixWeight = 0.8;
const typoWeight = 0.5;
/** Minimum share of the recognized search words that a result must match, and its minimum score as a share of the best score. */
const [leastWords, leastPoints] = [0.5, 0.35];
/** Minimum word lengths for prefix matches and for matches with a typo. */
const [fewForBeginning, fewForTypo] = [3, 5];

/** Best match first. Tolerates accents, case, plural, phonetic spelling, and a single typo per word. */
export function createFaqSearchFunction<Faq extends SearchableFaq>(
  faqs: readonly Faq[],
  { same, asked, ignored }: FaqSearchVocabulary,
): (typed: string) => readonly Faq[] {
  const unsaid = new Set(ignored.map(stem));
  const splitWords = (text: string) => listStems(text).filter((word) => !unsaid.has(word));
  const groups = same.map((group) => group.map(stem));
  const documents = faqs.map((faq) => ({
    faq,
    phrases: (asked[faq.slug] ?? []).map((phrase) => splitWords(phrase).join(' ')),
    fields: {
      asked: new Set((asked[faq.slug] ?? []).flatMap(splitWords)),
      title: new Set(splitWords(faq.titulo)),
      answer: new Set(splitWords(faq.respuesta)),
    },
  }));
  type Document = (typeof documents)[number];
  const scoreWord = (word: string, { fields }: Document): number => {
    const meanings = groups.filter((group) => group.includes(word)).flat();
    const findBestScore = (words: ReadonlySet<string>): number => {
      if (words.has(word)) return 1;
      if (meanings.some((other) => words.has(other))) return synonymWeight;
      const all = [...words];
      if (word.length >= fewForBeginning && all.some((other) => other.startsWith(word))) return prefixWeight;
      return word.length >= fewForTypo && all.some((other) => isWithinOneEdit(word, other)) ? typoWeight : 0;
    };
    return Math.max(
      ...(['asked', 'title', 'answer'] as const).map((field) => weights[field] * findBestScore(fields[field])),
    );
  };
  return (typed) => {
    const words = [...new Set(splitWords(typed))];
    if (words.length === 0) return [];
    const phrase = words.join(' ');
    const table = words.map((word) => documents.map((document) => scoreWord(word, document)));
    const rarity = table.map((row) =>
      Math.log(1 + documents.length / Math.max(1, row.filter((fits) => fits > 0).length)),
    );
    const known = table.filter((row) => row.some((fits) => fits > 0)).length;
    const ranked = documents
      .map((document, index) => {
        const fits = table.map((row) => row[index] ?? 0);
        const share = fits.filter((value) => value > 0).length / Math.max(1, known);
        const isAsked = document.phrases.includes(phrase);
        const points =
          fits.reduce((sum, value, word) => sum + value * (rarity[word] ?? 0), 0) * share * (isAsked ? 2 : 1);
        return { faq: document.faq, share, points };
      })
      .filter(({ share }) => share >= leastWords)
      .sort((a, b) => b.points - a.points);
    const topPoints = ranked[0]?.points ?? 0;
    return ranked.filter(({ points }) => points >= topPoints * leastPoints).map(({ faq }) => faq);
  };
}

function listStems(text: string): readonly string[] {
  return foldAccentsAndCase(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(stem);
}

/** Removes the plural ending (contraseñas, sesiones, sessões) and merges letters with the same sound (contraceña, yega, aktivar). */
function stem(word: string): string {
  const folded = foldAccentsAndCase(word);
  const singular = folded.length <= 3 ? folded : folded.replace(/oes$/, 'ao').replace(/(?<=[dlnrz])es$|s$/, '');
  return singular
    .replace(/ch/g, 'x')
    .replace(/c(?=[ei])|z/g, 's')
    .replace(/qu(?=[ei])|c/g, 'k')
    .replace(/g(?=[ei])/g, 'j')
    .replace(/ll/g, 'y')
    .replace(/v/g, 'b')
    .replace(/h/g, '')
    .replace(/(.)\1+/g, '$1');
}

/** Whether two words differ by one inserted, deleted, replaced or swapped letter. Their first letters must be equal. */
function isWithinOneEdit(from: string, to: string): boolean {
  if (from[0] !== to[0] || Math.abs(from.length - to.length) > 1) return false;
  let start = 0;
  while (start < from.length && from[start] === to[start]) start += 1;
  const [a, b] = [from.slice(start), to.slice(start)];
  const isSwapped = a.length > 1 && b.startsWith(`${a[1] ?? ''}${a[0] ?? ''}`) && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
