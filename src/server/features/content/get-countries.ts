import type { Answer } from '../../../contract/contract.ts';
import { after, type Clock } from '../../platform/base/clock.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';

/** Time for which countries are cached, in seconds. They only change with a new version. */
const keptS = 60;

export function getCountries({ store, clock }: { store: Store; clock: Clock }): Handler<'getCountries'> {
  let kept: { readonly body: Countries; readonly until: Date } | null = null;
  return async () => {
    const now = clock.now();
    if (kept === null || kept.until <= now) kept = { body: await readCountries(store), until: after(now, keptS) };
    return { body: kept.body };
  };
}

type Countries = Answer<'getCountries'>;

async function readCountries(store: Store): Promise<Countries> {
  const rows = await store.db
    .selectFrom('country_documents')
    .innerJoin('countries', 'countries.code', 'country_documents.country')
    .innerJoin('document_types', 'document_types.code', 'country_documents.type')
    .select(['countries.code', 'countries.name', 'document_types.code as type', 'document_types.name as typeName'])
    .orderBy('countries.position')
    .orderBy('country_documents.position')
    .execute();
  const countries = new Map<string, Countries[number]>();
  for (const { code, name, type, typeName } of rows) {
    const country = countries.get(code) ?? { codigo: code, nombre: name, documentos: [] };
    country.documentos.push({ tipo_documento: { codigo: type, nombre: typeName } });
    countries.set(code, country);
  }
  return [...countries.values()];
}
