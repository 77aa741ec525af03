/** How a static page is laid out: as a card, or as the overview of the available methods. */
export const layouts = ['tarjeta', 'metodos'] as const;
export type Layout = (typeof layouts)[number];

/** Pictures that pages may show, by the alias that stands in place of an address (section 2.3 of the specification). */
export const imageAliases: readonly string[] = ['basico', 'basico_intermedio', 'avanzado'];

/** One frequent question; `answer` is Markdown with unfilled placeholders and conditions. */
export interface Question {
  readonly slug: string;
  readonly title: string;
  /** A key of categories.json. */
  readonly category: string;
  /** Its place in the category, from 1. */
  readonly order: number;
  /** Slugs. */
  readonly related: readonly string[];
  /** The way that it is about: it stands only where the portal offers that; null: everywhere. */
  readonly only: string | null;
  readonly answer: string;
}

/** One static page; `body` is Markdown with unfilled placeholders. */
export interface StaticPage {
  readonly id: string;
  readonly title: string;
  readonly layout: Layout;
  readonly summary: string | null;
  /** ISO 8601 day. */
  readonly updated: string | null;
  readonly body: string;
}

/** A category with its questions in their order. */
export interface Category {
  readonly id: string;
  readonly name: string;
  readonly questions: readonly Question[];
}

/** The help and the pages of one language. */
export interface Texts {
  readonly categories: readonly Category[];
  readonly pages: readonly StaticPage[];
}

/** The checked content, by language. */
export type Content = Readonly<Record<string, Texts>>;
