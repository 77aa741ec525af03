import type { Topic } from '../../platform/topics/topic.ts';
import { contentHandlers } from './handlers.ts';
import type { StoredTable } from '../../platform/topics/table.ts';

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

export const topic = { handlers: contentHandlers, tables } as const satisfies Topic;
