import pg from 'pg';
import { pino } from 'pino';
import { loadCountries } from '../../src/server/app/open-parts.ts';
import { openStore } from '../../src/server/platform/database/open-store.ts';
import type { AuditKey } from '../../src/server/platform/keys/audit-keys.ts';
import { auditRows } from './audit-rows.ts';
import { copyRows, type CopyRow } from './copy-rows.ts';
import { accountRows } from './account-rows.ts';
import { contactRows } from './contact-rows.ts';
import { applications, fillersOf, type Country, type Filled } from './country.ts';
import { sessionRows } from './session-rows.ts';

/** Rows that one COPY takes: what PostgreSQL keeps of their foreign keys until its end stays small. */
const batch = 200_000;

/** Rows of a table, and how long they took. */
export interface FilledTable {
  readonly table: string;
  readonly rows: number;
  readonly seconds: number;
}

interface Options extends Country {
  readonly url: string;
  readonly auditKey: AuditKey;
  /** Rows of the audit log: ten of each citizen where nothing is said. */
  readonly auditRows?: number | undefined;
  readonly said?: (filled: FilledTable) => void;
}

/**
 * Fills an empty database with a country through the tables of the product: rows by COPY, checked by its constraints and foreign keys. The same seed
 * gives the same rows. Ends with statistics of every table, as autovacuum leaves them. Memory is that of one batch.
 */
export async function fillDatabase({
  url,
  auditKey,
  auditRows: count,
  said = () => {},
  ...country
}: Options): Promise<void> {
  const store = await openStore({ url, pool: 1 }, pino({ level: 'silent' }));
  await loadCountries(store);
  await store.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set synchronous_commit = off`);
    const fillers = fillersOf(country);
    const tables = [accountRows, sessionRows, contactRows].flatMap((rows) => rows(fillers));
    for (const filled of [clients(country.now), ...tables]) said(await fillTable(client, filled));
    said(await fillAudit(client, country, auditKey, count ?? country.citizens * 10));
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

function clients(now: Date): Filled {
  return {
    table: 'clients',
    count: applications,
    row: (index) => {
      const registration = {
        id: `app-${index}`,
        name: `Trámites ${index}`,
        redirectUris: ['https://tramites.example/'],
        scopes: ['personal_info'],
      };
      return { id: registration.id, registration: JSON.stringify(registration), secret: null, created_at: now };
    },
  };
}

async function fillTable(client: pg.Client, { table, count, row }: Filled): Promise<FilledTable> {
  const begun = performance.now();
  for (let from = 0; from < count; from += batch)
    await copyRows(client, table, map(from, Math.min(count, from + batch), row));
  return { table, rows: count, seconds: (performance.now() - begun) / 1000 };
}

async function fillAudit(client: pg.Client, country: Country, key: AuditKey, count: number): Promise<FilledTable> {
  const begun = performance.now();
  const seals: CopyRow[] = [];
  const rows = auditRows(country, key, count, seals);
  for (let from = 0; from < count; from += batch) {
    await copyRows(client, 'audit', take(rows, Math.min(batch, count - from)));
    await copyRows(client, 'audit_seals', seals.splice(0));
  }
  await client.query(`select setval(pg_get_serial_sequence('audit', 'seq'), $1)`, [count]);
  return { table: 'audit', rows: count, seconds: (performance.now() - begun) / 1000 };
}

function* map<Row>(from: number, to: number, row: (index: number) => Row): Generator<Row> {
  for (let index = from; index < to; index += 1) yield row(index);
}

/** The next of a generator, which goes on afterwards. */
function* take<Row>(rows: Iterator<Row>, count: number): Generator<Row> {
  for (let taken = 0; taken < count; taken += 1) {
    const { done, value } = rows.next();
    if (done === true) return;
    yield value;
  }
}
