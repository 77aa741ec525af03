import { sql } from 'kysely';
import { secondsPerDay, secondsPerHour, fixedRetentionPeriods } from '../base/fixed-periods.ts';
import { createPurgeRule, type TableDescription } from './table-descriptions.ts';

export const platformTableDescriptions = {
  accepted_keys: {
    data: null,
    why: 'fingerprints of the keys, so that no replica starts with other keys',
    readers: ['operator'],
    retention: 'until other keys are accepted',
  },
  leases: { data: null, why: 'jobs that one replica runs for all', readers: [], retention: 'until the job ends' },
  compatible_migrations: {
    data: null,
    why: 'migrations that are compatible with the previous version',
    readers: [],
    retention: 'permanently',
  },
  outbox: {
    data: 'Address, language and full text of each mail, and the account that it concerns',
    why: 'Delivering mails, and showing them to the citizen',
    readers: ['citizen', 'operator'],
    restored: () => sql`delete from outbox where sent_at is null`,
    retention: createPurgeRule('created_at', 'MAILS_DAYS', 'dias_correos'),
  },
  audit: {
    data: 'Each action on an account: actor, time, network address and browser',
    why: 'Evidence of changes; sealed and never altered',
    readers: ['citizen', 'operator'],
    retention:
      'permanently; network address and browser for `AUDIT_ORIGIN_DAYS` days. The id of a deleted account stays as a pseudonym',
  },
  audit_seals: { data: null, why: 'signatures of the audit log', readers: ['operator'], retention: 'permanently' },
  backups: { data: null, why: 'time and checksum of each backup', readers: ['operator'], retention: 'permanently' },
  audit_shipments: {
    data: null,
    why: 'last seal that the collector of the audit log has received',
    readers: [],
    retention: 'permanently',
  },
  definition_modules: {
    data: null,
    why: 'compiled screens and flows, and scripts and styles of the build, for all replicas',
    readers: [],
    retention: createPurgeRule('used_at', fixedRetentionPeriods.oldModuleDays * secondsPerDay + secondsPerHour, null),
  }, // `used_at` is renewed while a replica uses the module
} as const satisfies Readonly<Record<string, TableDescription>>;
