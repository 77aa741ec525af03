import searchWords from '../../brand/search.json' with { type: 'json' };
import { questionSearch, type Searched, type SearchWords } from './faq-search.ts';

/** A search among questions. */
export interface FaqSearch<Faq> {
  /** What fits what was typed, the best first. */
  find(typed: string): readonly Faq[];
  /** What to offer where nothing fits. */
  readonly suggested: readonly Faq[];
}

const nothing: SearchWords = { same: [], asked: {}, ignored: [], suggested: [] };

/** Opens the search by the words of a language. It is loaded when somebody begins to search: most readers do not. */
export function openFaqSearch<Faq extends Searched>(faqs: readonly Faq[], language: string): FaqSearch<Faq> {
  const { $comment: _comment, ...languages } = searchWords;
  const words = (languages as Readonly<Record<string, SearchWords>>)[language] ?? nothing;
  return {
    find: questionSearch(faqs, words),
    suggested: words.suggested.flatMap((slug) => faqs.find((faq) => faq.slug === slug) ?? []),
  };
}
