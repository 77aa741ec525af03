import type { Topic } from '../../platform/topics/topic.ts';
import type { StoredTable } from '../../platform/topics/table.ts';
import { after } from '../../platform/base/clock.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { getFaqs } from './get-faqs.ts';
import type { Answer } from '../../../contract/contract.ts';
import { fill } from '../../../engine/core/messages.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { contentValues } from './content-values.ts';
import { offeredTexts } from './offered.ts';
import type { Parts } from '../parts.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    countries: { code: string; name: string; position: number };
    document_types: { code: string; name: string };
    country_documents: { country: string; type: string; position: number };
  }
}

const tables = {
  countries: {
    data: null,
    why: 'names of countries',
    readers: ['citizen', 'agent'],
    kept: 'for good',
  },
  document_types: {
    data: null,
    why: 'names of kinds of documents',
    readers: ['citizen', 'agent'],
    kept: 'for good',
  },
  country_documents: {
    data: null,
    why: 'which country has which kinds',
    readers: ['citizen', 'agent'],
    kept: 'for good',
  },
} as const satisfies Readonly<Record<string, StoredTable>>;

export const topic = { handlers: { getFaqs, getStaticPage, getCountries }, tables } as const satisfies Topic;

/** Time for which countries are cached, in seconds. They only change with a new version. */
const keptS = 60;

function getCountries({ store, clock }: Parts): Handler<'getCountries'> {
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

export function getStaticPage({ content, config }: Parts): Handler<'getStaticPage'> {
  const values = contentValues(config);
  return async ({ params, origin: { language } }) => {
    const texts = content()[language];
    const page = texts && offeredTexts(texts, config).pages.find(({ id }) => id === params['page']);
    if (!page) throw new OperationError(404, 'no_encontrado');
    return {
      body: {
        titulo: fill(page.title, values),
        resumen: page.summary === null ? null : fill(page.summary, values),
        contenido: fill(page.body, values),
        disposicion: page.layout,
        actualizada: page.updated,
      },
    };
  };
}
