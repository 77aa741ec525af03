import type { Generated, JSONColumnType } from 'kysely';
import { dayS, periods } from '../../platform/base/periods.ts';
import { since, type Retention } from '../../platform/topics/table.ts';

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

/** How long the rows of these tables stay. */
export const tables = {
  credential_changes: since('at', periods.credentialChangeDays * dayS, 'dias_cambios'),
} as const satisfies Readonly<Record<string, Retention>>;
