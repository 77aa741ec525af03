import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Prerendered } from '../../../contract/prerender.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { encode } from '../../platform/http/encoding.ts';
import { keepText, makeMarks, type KeptText } from '../../platform/http/kept-text.ts';
import type { PageAnswers } from './page-data.ts';
import type { Face } from './send-plain-page.ts';

/** Values of a page that differ in each response. */
export type PagePlace = 'nonce' | 'time';

/** Cache key of a page within a set of definitions. */
export interface PageSubject {
  /** Decides the page's addresses and hosts. */
  readonly face: Face;
  readonly language: Language;
  readonly path: string;
  readonly answers: PageAnswers;
}

export interface MadePage extends Pick<Prerendered, 'isWhole'> {
  readonly html: string;
  /** Whether it has content before the portal's script renders it. */
  readonly isPrerendered: boolean;
}

/** A page that can be sent repeatedly. `encode` fills in the values of one response. */
export interface SentPage extends KeptText<PagePlace>, Pick<Prerendered, 'isWhole'> {}

/** Wraps a page whose values are already filled in, for one response. */
export function sentOnce({ html, isWhole }: MadePage): SentPage {
  return { isWhole, encode: (acceptEncoding) => encode(html, acceptEncoding, 'always') };
}

/** Cache of rendered pages. Entries are valid as long as the definitions and the data are the same. */
export interface KeptPages {
  find(set: Definitions, subject: PageSubject): SentPage | undefined;
  /** Caches a page rendered with `pageMarks`. The oldest page is evicted first. */
  keep(set: Definitions, subject: PageSubject, made: MadePage): SentPage;
}

const mostKept = 500;

/** Placeholders for the values that differ in each response. */
export const pageMarks = makeMarks<PagePlace>(['nonce', 'time']);

export function createKeptPages(): KeptPages {
  const kept = new WeakMap<Definitions, Map<string, SentPage>>();
  const buildKey = ({ face, language, path, answers }: PageSubject): string =>
    [face, language, path, ...Object.entries(answers).flat()].join('\n');
  return {
    find: (set, subject) => kept.get(set)?.get(buildKey(subject)),
    keep(set, subject, { html, isWhole }) {
      const pages = kept.get(set) ?? new Map<string, SentPage>();
      kept.set(set, pages);
      const page = { ...keepText(html, pageMarks), isWhole };
      pages.set(buildKey(subject), page);
      const [oldest] = pages.keys();
      if (pages.size > mostKept && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}
