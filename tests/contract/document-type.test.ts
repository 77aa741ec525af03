import { expect, test } from 'vitest';
import reference from '../../src/server/features/content/reference/countries.json';
import { formatDocumentType } from '../../src/contract/format/document-type.ts';

test('formatDocumentType returns the reference name in Spanish, and a Portuguese name for every known type', () => {
  for (const [code, name] of Object.entries(reference.tipos)) {
    expect(formatDocumentType(code, name, 'es')).toBe(name);
    expect(formatDocumentType(code, name, 'pt'), code).not.toMatch(/dad$|Pasaporte|Tarjeta|ía$|ero$(?<!estrangeiro)/);
  }
  expect(formatDocumentType('dni', 'x', 'pt')).toBe('Documento nacional de identidade');
  expect(formatDocumentType('new', 'Nuevo', 'pt'), 'unknown document type').toBe('Nuevo');
});
