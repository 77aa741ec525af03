/** A text in each language of the tools for analysts. */
export type Localized = Readonly<Record<string, string>>;

/** Returns the text in a language, or an empty text if there is none. */
export function inLanguage(text: Localized, language: string): string {
  return text[language] ?? '';
}
