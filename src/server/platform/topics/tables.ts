import { dayS, periods } from '../base/periods.ts';
import { since, type Retention } from './table.ts';

/** How long the rows of these tables stay. */
export const tables = {
  accepted_keys: null,
  leases: null,
  compatible_migrations: null,
  outbox: since('created_at', periods.mailDays * dayS, 'dias_correos'),
  audit: null,
  audit_seals: null,
} as const satisfies Readonly<Record<string, Retention>>;
