import names from './document-types.json' with { type: 'json' };

/** Returns the name of a document type in a language. `name` is the name in the base language, and the fallback for a missing translation. */
export function formatDocumentType(code: string, name: string, language: string): string {
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = names;
  return (Object.hasOwn(known, language) ? known[language]?.[code] : undefined) ?? name;
}
