import { expect, test } from 'vitest';
import reference from '../../src/server/features/content/reference/countries.json';
import { formatIdentityDocument, formatDocumentType } from '../../src/contract/format/document-type.ts';

test('formatDocumentType returns the reference name in Spanish, and a Portuguese name for every known type', () => {
  for (const [code, name] of Object.entries(reference.tipos)) {
    expect(formatDocumentType(code, name, 'es')).toBe(name);
    expect(formatDocumentType(code, name, 'pt'), code).not.toMatch(/dad$|Pasaporte|Tarjeta|ía$|ero$(?<!estrangeiro)/);
  }
  expect(formatDocumentType('dni', 'x', 'pt')).toBe('Documento nacional de identidade');
  expect(formatDocumentType('new', 'Nuevo', 'pt'), 'unknown document type').toBe('Nuevo');
});

test.each([
  ['uy', 'ci', '45123784', 'Cédula 4.512.378-4'],
  ['uy', 'ci', '1234561', 'Cédula 123.456-1'],
  ['uy', 'ci', '12', 'Cédula 1-2'],
  ['uy', 'psp', '45123784', 'Cédula 45123784'],
  ['ar', 'ci', '45123784', 'Cédula 45123784'],
])(
  'formatIdentityDocument writes only Uruguayan identity cards with dots and hyphen: %s %s %s',
  (country, type, number, shown) => {
    const names = { country_name: 'País', type_name: 'Cédula' };
    expect(formatIdentityDocument({ country, type, number, ...names }, 'es')).toBe(shown);
  },
);
