import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Prerendered } from '../../../contract/prerender.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { encode } from '../../platform/http/encoding.ts';
import { keepText, makeMarks, type KeptText } from '../../platform/http/kept-text.ts';
import type { PageAnswers } from './page-data.ts';
import type { Face } from './send-plain-page.ts';

/** What of a page is another one in each response. */
export type PagePlace = 'nonce' | 'time';

/** What decides what a page says, beside the set of definitions. */
export interface PageSubject {
  /** Of whom the page's addresses and hosts are. */
  readonly face: Face;
  readonly language: Language;
  readonly path: string;
  readonly answers: PageAnswers;
}

/** A page as it was made. */
export interface MadePage extends Pick<Prerendered, 'isWhole'> {
  readonly html: string;
  /** It says something before the portal draws it. */
  readonly isPrerendered: boolean;
}

/** A page for responses, each with values of its own in the places. */
export interface SentPage extends KeptText<PagePlace>, Pick<Prerendered, 'isWhole'> {}

/** A page whose places are filled, for one response. */
export function sentOnce({ html, isWhole }: MadePage): SentPage {
  return { isWhole, encode: (acceptEncoding) => encode(html, acceptEncoding, 'always') };
}

/** Pages that were made once, for as long as definitions and data stay the same. */
export interface KeptPages {
  find(set: Definitions, subject: PageSubject): SentPage | undefined;
  /** Keeps a page that was made with the marks below in its places; the oldest makes way. */
  keep(set: Definitions, subject: PageSubject, made: MadePage): SentPage;
}

const mostKept = 500;

/** Stand for what is another one in each response. */
export const pageMarks = makeMarks<PagePlace>(['nonce', 'time']);

/** Pages of one server. */
export function createKeptPages(): KeptPages {
  const kept = new WeakMap<Definitions, Map<string, SentPage>>();
  const keyOf = ({ face, language, path, answers }: PageSubject): string =>
    [face, language, path, ...Object.entries(answers).flat()].join('\n');
  return {
    find: (set, subject) => kept.get(set)?.get(keyOf(subject)),
    keep(set, subject, { html, isWhole }) {
      const pages = kept.get(set) ?? new Map<string, SentPage>();
      kept.set(set, pages);
      const page = { ...keepText(html, pageMarks), isWhole };
      pages.set(keyOf(subject), page);
      const [oldest] = pages.keys();
      if (pages.size > mostKept && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}
