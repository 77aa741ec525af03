import searchWords from '../../brand/search.json' with { type: 'json' };
import { createFaqSearchFunction, type SearchableFaq, type FaqSearchVocabulary } from './faq-search.ts';

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
