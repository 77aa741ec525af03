import names from './document-types.json' with { type: 'json' };

/** The name of a type of document in a language. The reference data name types in the base language; a code that no other language names keeps that name. */
export function writtenDocumentType(code: string, name: string, language: string): string {
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = names;
  return (Object.hasOwn(known, language) ? known[language]?.[code] : undefined) ?? name;
}
