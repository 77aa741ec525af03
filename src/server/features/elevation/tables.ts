import type { StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    card_checks: { session_id: string; passed_at: Date };
  }
}

export const tables = {
  card_checks: {
    data: 'That a session passed the check of the identity card',
    why: 'Raising the level',
    readers: [],
    kept: 'as long as its session is remembered',
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
