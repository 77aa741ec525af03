import { writtenCountry } from '../../src/contract/written/country.ts';
import { writtenDocumentType } from '../../src/contract/written/document-type.ts';

export interface Country {
  readonly code: string;
  readonly name: string;
  readonly types: readonly DocumentType[];
}

export interface DocumentType {
  readonly code: string;
  readonly name: string;
}

/** Reads the response of `getCountries`. Entries of another shape are skipped. */
export function readCountries(answer: unknown): readonly Country[] {
  return asList(answer).flatMap((entry) => {
    const country = readNamed(entry);
    return country ? [{ ...country, types: asList(getProperty(entry, 'documentos')).flatMap(readType) }] : [];
  });
}

/** Translates the names of the countries and sorts them. The first country stays first, as in the reference data. */
export function localizeCountries(language: string, countries: readonly Country[]): readonly Country[] {
  const named = countries.map((country) => ({
    ...country,
    name: writtenCountry(country.code, country.name, language),
  }));
  if (named.every(({ name }, at) => name === countries[at]?.name)) return countries; // keep the order of the reference data
  const [first, ...rest] = named;
  return first ? [first, ...rest.sort((a, b) => a.name.localeCompare(b.name, language))] : [];
}

export function typesNamedIn(language: string, types: readonly DocumentType[]): readonly DocumentType[] {
  return types.map(({ code, name }) => ({ code, name: writtenDocumentType(code, name, language) }));
}

function readType(document: unknown): readonly DocumentType[] {
  const type = readNamed(getProperty(document, 'tipo_documento'));
  return type ? [type] : [];
}

function readNamed(value: unknown): DocumentType | null {
  const [code, name] = [getProperty(value, 'codigo'), getProperty(value, 'nombre')];
  return typeof code === 'string' && typeof name === 'string' ? { code, name } : null;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function getProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
