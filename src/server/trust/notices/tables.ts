import type { Generated, JSONColumnType } from 'kysely';
import { since, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    credential_changes: CredentialChangeTable;
  }
}

/** What a citizen was told of, with the credentials before it: what a 'No fui yo' takes back. */
interface CredentialChangeTable {
  id: Generated<number>;
  citizen_id: string;
  /** The session that made the change; null: none, as behind a link. */
  session_id: string | null;
  /** Name of the notice. */
  kind: string;
  at: Date;
  /** `email`: the proven one. `closing`: the account was to be closed. The rows of each table of credentials stand under its name. */
  before: JSONColumnType<
    { readonly email: string | null; readonly phone: string | null; readonly closing: boolean },
    string,
    never
  >;
  undone_at: Date | null;
}

/** What these tables hold, and how long their rows stay. */
export const tables = {
  credential_changes: {
    data: 'Address, phone and credentials before a change',
    why: 'Undoing a change that was not the citizen’s',
    readers: ['citizen'],
    copies: { before: '$.second_factors[*].secret ? (@ != null)' },
    kept: since('at', 'CHANGES_DAYS', 'dias_cambios'),
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
