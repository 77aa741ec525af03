import type { ServerModule } from '../../platform/modules/server-module.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import type { OperationResponse } from '../../../contract/contract.ts';
import { fillPlaceholders } from '../../../engine/core/messages.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { computeContentPlaceholderValues, selectOfferedContent } from './content-placeholder-values.ts';
import type { FaqQuestion, LocalizedContent } from './localized-content.ts';
import type { ResponseBodyHandler } from '../handler-context.ts';

export const serverModule = {
  handlers: () => ({ getFaqs, getStaticPage, getCountries }),
  tables: {
    countries: { data: null, why: 'names of countries', readers: ['citizen', 'agent'], retention: 'permanently' },
    document_types: {
      data: null,
      why: 'names of document types',
      readers: ['citizen', 'agent'],
      retention: 'permanently',
    },
    country_documents: {
      data: null,
      why: 'document types of each country',
      readers: ['citizen', 'agent'],
      retention: 'permanently',
    },
  },
} as const satisfies ServerModule;

declare module '../../platform/database/schema.ts' {
  interface Database {
    countries: { code: string; name: string; position: number };
    document_types: { code: string; name: string };
    country_documents: { country: string; type: string; position: number };
  }
}

export const getFaqs: ResponseBodyHandler<'getFaqs'> = async ({ content, config }, { query, origin: { language } }) => {
  const slug = query['slug'];
  const texts = selectOfferedContent(content()[language] ?? { categories: [], pages: [] }, config);
  const values = computeContentPlaceholderValues(config);
  const body = texts.categories
    .map(({ name, questions }) => ({
      nombre: name,
      faqs: questions
        .filter((question) => slug === undefined || question.slug === slug)
        .map((question) => toFaq(question, name, texts, values)),
    }))
    .filter(({ faqs }) => faqs.length > 0);
  if (slug !== undefined && body.length === 0) throw new OperationError(404, 'no_encontrado');
  return body;
};

function toFaq(
  question: FaqQuestion,
  category: string,
  { categories }: LocalizedContent,
  values: ReturnType<typeof computeContentPlaceholderValues>,
) {
  const all = categories.flatMap(({ questions }) => questions);
  const related = question.relatedSlugs.flatMap((slug) => all.find((other) => other.slug === slug) ?? []);
  return {
    ...toFaqSummary(question, values),
    respuesta: fillPlaceholders(question.answer, values),
    categorias: { nombre: category },
    faqs_relacionadas: related.map((other) => toFaqSummary(other, values)),
  };
}

function toFaqSummary({ slug, title }: FaqQuestion, values: ReturnType<typeof computeContentPlaceholderValues>) {
  return { id: slug, slug, titulo: fillPlaceholders(title, values) };
}

type Countries = OperationResponse<'getCountries'>;

/** Responses by store. Each is used for a minute, because a new version of the server may change the countries. */
const cachedCountries = new WeakMap<DatabaseStore, { readonly body: Countries; readonly until: Date }>();

const getCountries: ResponseBodyHandler<'getCountries'> = async ({ store, clock }) => {
  const now = clock.now();
  const cached = cachedCountries.get(store);
  if (cached !== undefined && cached.until > now) return cached.body;
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
  const body = [...countries.values()];
  cachedCountries.set(store, { body, until: addSeconds(now, 60) });
  return body;
};

export const getStaticPage: ResponseBodyHandler<'getStaticPage'> = async (
  { content, config },
  { params, origin: { language } },
) => {
  const values = computeContentPlaceholderValues(config);
  const texts = content()[language];
  const page = texts && selectOfferedContent(texts, config).pages.find(({ id }) => id === params['page']);
  if (!page) throw new OperationError(404, 'no_encontrado');
  return {
    titulo: fillPlaceholders(page.title, values),
    resumen: page.summary === null ? null : fillPlaceholders(page.summary, values),
    contenido: fillPlaceholders(page.body, values),
    disposicion: page.layout,
    actualizada: page.updated,
  };
};
