import { expect, test } from 'vitest';
import reference from '../../src/server/features/content/reference/countries.json';
import { writtenDocumentType } from '../../src/contract/written/document-type.ts';

test('every type of document of the reference data has a name in Portuguese, and its own one in Spanish', () => {
  for (const [code, name] of Object.entries(reference.tipos)) {
    expect(writtenDocumentType(code, name, 'es')).toBe(name);
    expect(writtenDocumentType(code, name, 'pt'), code).not.toMatch(/dad$|Pasaporte|Tarjeta|ía$|ero$(?<!estrangeiro)/);
  }
  expect(writtenDocumentType('dni', 'x', 'pt')).toBe('Documento nacional de identidade');
  expect(writtenDocumentType('new', 'Nuevo', 'pt'), 'one that it does not know').toBe('Nuevo');
});
