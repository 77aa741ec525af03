import { defineMailTemplates } from '../../platform/modules/mail-templates.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import type { Generated, JSONColumnType } from 'kysely';
import { createPurgeRule, type TableDescription } from '../../platform/modules/table-descriptions.ts';

declare module '../../platform/modules/mail-templates.ts' {
  interface MailPlaceholders {
    code: MailPlaceholderValues<'name' | 'code' | 'expires'>;
    /** Placeholder values of a notice mail, including those of the notice's own sentence. */
    notice: MailPlaceholderValues<'name' | 'when' | 'support' | 'undo' | 'days'> & Readonly<Record<string, string>>;
    /** Placeholder values of a warning mail, including those of the warning's own sentence. */
    warning: MailPlaceholderValues<'name' | 'when' | 'support'> & Readonly<Record<string, string>>;
  }
}

const mails = defineMailTemplates(import.meta.url, { code: 'codes', notice: null, warning: 'notices' });

declare module '../../platform/database/schema.ts' {
  interface Database {
    credential_changes: {
      id: Generated<number>;
      citizen_id: string;
      /** Session that made the change. `null` if a link without a session made it. */
      session_id: string | null;
      kind: string;
      at: Date;
      /**
       * `email` is the verified address. `closing` is whether a deletion was scheduled. The JSON also has the credentials: for each table in
       * `restoredTables`, its rows under its name.
       */
      before: JSONColumnType<
        { readonly email: string | null; readonly phone: string | null; readonly closing: boolean },
        string,
        never
      >;
      undone_at: Date | null;
    };
  }
}

const tables = {
  credential_changes: {
    data: 'Previous address, phone and credentials of a changed account',
    why: 'Reverting a change that the citizen did not make',
    readers: ['citizen'],
    copies: { before: '$.second_factors[*].secret ? (@ != null)' },
    retention: createPurgeRule('at', 'CHANGES_DAYS', 'dias_cambios'),
  },
} as const satisfies Readonly<Record<string, TableDescription>>;

export const serverModule = { tables, texts, mails } as const satisfies ServerModule;
