import type { Answer } from '../../../contract/contract.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';

/** Countries with the document types that each issues, in the order of the reference data. */
export function getCountries({ store }: { store: Store }): Handler<'getCountries'> {
  return async () => {
    const rows = await store.db
      .selectFrom('country_documents')
      .innerJoin('countries', 'countries.code', 'country_documents.country')
      .innerJoin('document_types', 'document_types.code', 'country_documents.type')
      .select(['countries.code', 'countries.name', 'document_types.code as type', 'document_types.name as typeName'])
      .orderBy('countries.position')
      .orderBy('country_documents.position')
      .execute();
    const countries = new Map<string, Answer<'getCountries'>[number]>();
    for (const { code, name, type, typeName } of rows) {
      const country = countries.get(code) ?? { codigo: code, nombre: name, documentos: [] };
      country.documentos.push({ tipo_documento: { codigo: type, nombre: typeName } });
      countries.set(code, country);
    }
    return { body: [...countries.values()] };
  };
}
