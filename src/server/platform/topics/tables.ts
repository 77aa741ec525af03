import { dayS, hourS, periods } from '../base/periods.ts';
import { since, type Retention } from './table.ts';

/** How long the rows of these tables stay. */
export const tables = {
  accepted_keys: null,
  leases: null,
  compatible_migrations: null,
  outbox: since('created_at', periods.mailDays * dayS, 'dias_correos'),
  audit: null,
  audit_seals: null,
  definition_modules: since('used_at', periods.oldModuleDays * dayS + hourS, null), // replicas renew the time each half hour
  definition_sets: since('used_at', periods.oldSetDays * dayS, null),
  definition_replicas: since('seen_at', hourS, null),
} as const satisfies Readonly<Record<string, Retention>>;
