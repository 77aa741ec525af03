/** Layouts of a static page: a card, or the overview of the available methods. */
export const staticPageLayouts = ['tarjeta', 'metodos'] as const;

/** Aliases of the images that content may show. Content refers to images by alias instead of URL (specification, section 2.3). */
export const contentImageAliases: readonly string[] = ['basico', 'basico_intermedio', 'avanzado'];

/** `answer` is Markdown with placeholders and conditions. */
export interface FaqQuestion {
  readonly slug: string;
  readonly title: string;
  /** Key in categories.json. */
  readonly category: string;
  readonly order: number;
  readonly relatedSlugs: readonly string[];
  /** Feature that the portal must offer to show the question. `null` if the question is always shown. */
  readonly requiredFeature: string | null;
  readonly answer: string;
}

/** `body` is Markdown with placeholders and conditions. */
export interface StaticPage {
  readonly id: string;
  readonly title: string;
  readonly layout: (typeof staticPageLayouts)[number];
  readonly summary: string | null;
  readonly updated: string | null;
  readonly body: string;
}

export interface FaqCategory {
  readonly id: string;
  readonly name: string;
  readonly questions: readonly FaqQuestion[];
}

export interface LocalizedContent {
  readonly categories: readonly FaqCategory[];
  readonly pages: readonly StaticPage[];
}

export type ContentByLanguage = Readonly<Record<string, LocalizedContent>>;
