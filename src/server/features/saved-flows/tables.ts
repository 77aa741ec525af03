import { ended, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    /** Progress of citizens in flows. `sealed` is encrypted, and bound to this citizen and flow. */
    saved_flows: { citizen_id: string; flow: string; sealed: string; saved_at: Date; expires_at: Date };
  }
}

/** Binds an encrypted journey to its citizen and flow. */
export function savedFlowPurpose({ citizenId, flow }: { readonly citizenId: string; readonly flow: string }): string {
  return `saved-flow:${citizenId}:${flow}`;
}

export const tables = {
  saved_flows: {
    data: 'What a citizen has filled in of a flow that is not finished',
    why: 'Going on later',
    readers: ['citizen'],
    encrypted: {
      sealed: (row) => savedFlowPurpose({ citizenId: String(row['citizen_id']), flow: String(row['flow']) }),
    },
    kept: ended('dias_a_medias'),
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
