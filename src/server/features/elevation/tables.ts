import type { Retention } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    /** Sessions whose citizen passed the identity check of an elevation. */
    card_checks: { session_id: string; passed_at: Date };
  }
}

/** How long the rows of these tables stay. */
export const tables = {
  card_checks: null,
} as const satisfies Readonly<Record<string, Retention>>;
