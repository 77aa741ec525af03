/** A sentence by the language in which a tool of analysts speaks. */
export type Localized = Readonly<Record<string, string>>;

/** Sentences by key, in each language. */
type Table<Key extends string> = Readonly<Record<string, Readonly<Record<Key, string>>>>;

/** Speaks by a table: a sentence in all of its languages, its `{placeholders}` filled. */
export function sentences<Key extends string>(
  table: Table<Key>,
): (key: Key, values?: Readonly<Record<string, string | Localized>>) => Localized {
  return (key, values = {}) =>
    Object.fromEntries(
      Object.entries(table).map(([language, texts]) => [
        language,
        texts[key].replace(/\{(\w+)\}/g, (_, name: string) => {
          const value = values[name] ?? '';
          return typeof value === 'string' ? value : inLanguage(value, language);
        }),
      ]),
    );
}

/** A sentence in one language; in none that it has, nothing. */
export function inLanguage(text: Localized, language: string): string {
  return text[language] ?? '';
}
