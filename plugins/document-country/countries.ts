import { formatCountryName } from '../../src/contract/format/country-name.ts';
import { formatDocumentType } from '../../src/contract/format/document-type.ts';
import { asObject, isObject } from '../../src/engine/core/json.ts';

export interface IdentityDocumentType {
  readonly code: string;
  readonly name: string;
}

export interface CountryWithDocumentTypes extends IdentityDocumentType {
  readonly types: readonly IdentityDocumentType[];
}

export function parseCountriesWithDocumentTypes(answer: unknown): readonly CountryWithDocumentTypes[] {
  return asList(answer).flatMap((entry) => {
    const country = readCodeAndName(entry);
    return country && isObject(entry)
      ? [
          {
            ...country,
            types: asList(entry.documentos).flatMap(
              (document) => readCodeAndName(asObject(document).tipo_documento) ?? [],
            ),
          },
        ]
      : [];
  });
}

/** Translates the names of the countries in a response and sorts them. The first country stays first, as in the reference data. */
export function localizeCountries(language: string, answer: unknown): readonly CountryWithDocumentTypes[] {
  const countries = parseCountriesWithDocumentTypes(answer);
  const namedCountries = countries.map((country) => ({
    ...country,
    name: formatCountryName(country.code, country.name, language),
  }));
  if (namedCountries.every(({ name }, at) => name === countries[at]?.name)) return countries; // if no name changes, keep the order of the reference data
  const [first, ...rest] = namedCountries;
  return first ? [first, ...rest.sort((a, b) => a.name.localeCompare(b.name, language))] : [];
}

export function localizeDocumentTypes(
  language: string,
  types: readonly IdentityDocumentType[],
): readonly IdentityDocumentType[] {
  return types.map(({ code, name }) => ({ code, name: formatDocumentType(code, name, language) }));
}

function readCodeAndName(value: unknown): IdentityDocumentType | null {
  if (!isObject(value)) return null;
  const { codigo: code, nombre: name } = value;
  return typeof code === 'string' && typeof name === 'string' ? { code, name } : null;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toCodeSelectOptions(choices: readonly IdentityDocumentType[]) {
  return choices.map(({ code, name }) => ({ value: code, label: name }));
}
