import { ended, type Retention } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    /** How far citizens have come in flows; `sealed` by the vault, for this citizen and flow alone. */
    saved_flows: { citizen_id: string; flow: string; sealed: string; saved_at: Date; expires_at: Date };
  }
}

/** How long the rows of these tables stay. */
export const tables = {
  saved_flows: ended('dias_a_medias'),
} as const satisfies Readonly<Record<string, Retention>>;
