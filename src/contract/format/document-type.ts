import { formatDocumentNumber } from '../document-number.ts';
import { formatCountryName } from './country-name.ts';
import names from './document-types.json' with { type: 'json' };

/** A document with the names of its country and type in the base language, as in the table of citizens. */
interface NamedDocument {
  readonly country: string;
  readonly country_name: string;
  readonly type: string;
  readonly type_name: string;
  readonly number: string;
}

/** Fields of a citizen's record that identify the document, as in the response of `getCitizen`. */
export interface CitizenDocumentFields {
  readonly numero_documento: string;
  readonly documento: Record<'pais_emisor' | 'tipo_documento', { readonly codigo: string; readonly nombre: string }>;
}

export function getCitizenDocument({
  numero_documento: number,
  documento: { pais_emisor: country, tipo_documento: type },
}: CitizenDocumentFields): NamedDocument {
  return { country: country.codigo, country_name: country.nombre, type: type.codigo, type_name: type.nombre, number };
}

/** Formats type and number, for example `Cédula de identidad 3.650.918-1`. */
export function formatIdentityDocument(
  { country, type, type_name: name, number }: NamedDocument,
  language: string,
): string {
  return `${formatDocumentType(type, name, language)} ${formatDocumentNumber(country, type, number)}`;
}

export function formatIdentityDocumentWithCountry(document: NamedDocument, language: string): string {
  return `${formatIdentityDocument(document, language)}, ${formatCountryName(document.country, document.country_name, language)}`;
}

/** Returns the name of a document type in a language. `name` is the name in the base language, and the fallback for a missing translation. */
export function formatDocumentType(code: string, name: string, language: string): string {
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = names;
  return (Object.hasOwn(known, language) ? known[language]?.[code] : undefined) ?? name;
}
