/** Layouts of a static page: a card, or the overview of the available methods. */
export const layouts = ['tarjeta', 'metodos'] as const;
export type Layout = (typeof layouts)[number];

/** Aliases of the images that content may show. Content refers to images by alias instead of URL (section 2.3 of the specification). */
export const imageAliases: readonly string[] = ['basico', 'basico_intermedio', 'avanzado'];

/** A frequent question. `answer` is Markdown with placeholders and conditions. */
export interface Question {
  readonly slug: string;
  readonly title: string;
  /** Key in categories.json. */
  readonly category: string;
  /** Position in the category, from 1. */
  readonly order: number;
  /** Slugs of other questions. */
  readonly related: readonly string[];
  /** Feature that the portal must offer to show the question. `null` if the question is always shown. */
  readonly only: string | null;
  readonly answer: string;
}

/** A static page. `body` is Markdown with placeholders and conditions. */
export interface StaticPage {
  readonly id: string;
  readonly title: string;
  readonly layout: Layout;
  readonly summary: string | null;
  /** Date (ISO 8601). */
  readonly updated: string | null;
  readonly body: string;
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly questions: readonly Question[];
}

export interface Texts {
  readonly categories: readonly Category[];
  readonly pages: readonly StaticPage[];
}

export type Content = Readonly<Record<string, Texts>>;
