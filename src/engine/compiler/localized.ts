/** A sentence in the languages in which the tools of analysts speak. */
export interface Localized {
  readonly es: string;
  readonly en: string;
}

/** Sentences by key, in each language. */
type Table<Key extends string> = Readonly<Record<'es' | 'en', Readonly<Record<Key, string>>>>;

/** Speaks by a table: a sentence in both languages, its `{placeholders}` filled. */
export function sentences<Key extends string>(
  table: Table<Key>,
): (key: Key, values?: Readonly<Record<string, string | Localized>>) => Localized {
  return (key, values = {}) => {
    const filled = (language: 'es' | 'en') =>
      table[language][key].replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name] ?? '';
        return typeof value === 'string' ? value : value[language];
      });
    return { es: filled('es'), en: filled('en') };
  };
}
