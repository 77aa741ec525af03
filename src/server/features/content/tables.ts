import type { Retention } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    countries: { code: string; name: string; position: number };
    document_types: { code: string; name: string };
    country_documents: { country: string; type: string; position: number };
  }
}

/** How long the rows of these tables stay. */
export const tables = {
  countries: null,
  document_types: null,
  country_documents: null,
} as const satisfies Readonly<Record<string, Retention>>;
