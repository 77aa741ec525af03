import { sql } from 'kysely';
import { dayS, hourS, fixedRetentionPeriods } from '../base/periods.ts';
import { since, type StoredTable } from './table.ts';

export const tables = {
  accepted_keys: {
    data: null,
    why: 'fingerprints of the keys, so that no replica starts with others',
    readers: ['operator'],
    kept: 'until other keys are accepted',
  },
  leases: {
    data: null,
    why: 'work that one replica does for all',
    readers: [],
    kept: 'as long as the work',
  },
  compatible_migrations: {
    data: null,
    why: 'which migrations the version before lives with',
    readers: [],
    kept: 'for good',
  },
  outbox: {
    data: 'Address, language and whole text of each mail, and whose account it is about',
    why: 'Delivery; the citizen sees what was sent',
    readers: ['citizen', 'operator'],
    restored: () => sql`delete from outbox where sent_at is null`,
    kept: since('created_at', 'MAILS_DAYS', 'dias_correos'),
  },
  audit: {
    data: 'Who did what to which account, when, from which network address and browser',
    why: 'Proof of what changed, by whom; sealed and never altered',
    readers: ['citizen', 'operator'],
    kept: 'for good, but address and browser `AUDIT_ORIGIN_DAYS` days: after the account is gone, its id stays as a pseudonym',
  },
  audit_seals: {
    data: null,
    why: 'signatures under the audit log',
    readers: ['operator'],
    kept: 'for good',
  },
  backups: {
    data: null,
    why: 'when all data was backed up, and the checksum of each backup',
    readers: ['operator'],
    kept: 'for good',
  },
  audit_shipments: {
    data: null,
    why: 'which seals the collector of the audit log has',
    readers: [],
    kept: 'for good',
  },
  definition_modules: {
    data: null,
    why: 'compiled screens and flows, scripts and styles of the build for all replicas',
    readers: [],
    kept: since('used_at', fixedRetentionPeriods.oldModuleDays * dayS + hourS, null),
  }, // `used_at` is renewed while a replica uses the module
} as const satisfies Readonly<Record<string, StoredTable>>;
