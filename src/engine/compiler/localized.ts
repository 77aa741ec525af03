/** A sentence by the language in which a tool of analysts speaks. */
export type Localized = Readonly<Record<string, string>>;

/** A sentence in one language; in none that it has, nothing. */
export function inLanguage(text: Localized, language: string): string {
  return text[language] ?? '';
}
