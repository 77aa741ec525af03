import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { pino } from 'pino';
import { storeCountries } from '../../src/server/app/create-handler-context.ts';
import { readConfig } from '../../src/server/platform/config/read-config.ts';
import { openDatabaseStore } from '../../src/server/platform/database/open-store.ts';
import { loadServerKeys } from '../../src/server/platform/keys/load-server-keys.ts';
import { createVault } from '../../src/server/platform/keys/vault.ts';
import { generateAuditRows } from './audit-rows.ts';
import { fillTables } from './fill-tables.ts';

/** Password of every citizen in a filled database. */
export const password = 'una-frase-bastante-larga';

/** Number of audit rows per INSERT. */
const batch = 10_000;

interface Options {
  readonly citizens: number;
  readonly seed: number;
  /** Number of audit rows. By default, ten per citizen. */
  readonly auditRows?: number;
  readonly report?: (table: string, rows: number) => void;
}

/**
 * Fills the empty database of these settings. A server with the same settings accepts the rows, because they are
 * encrypted and signed with its keys.
 */
export async function fillDatabase(
  env: Readonly<Record<string, string>>,
  { citizens, seed, auditRows: count = citizens * 10, report = () => undefined }: Options,
): Promise<void> {
  const { keys: settings, databaseUrl: url } = readConfig(env);
  if (url === null) throw new Error('Set DATABASE_URL to a PostgreSQL database.');
  const { encryption, audit } = await loadServerKeys(settings);
  const now = new Date();
  const vault = createVault(() => encryption, { now: () => now });
  const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const country = { citizens, seed, now, passwordHash, vault };
  const store = await openDatabaseStore({ url, pool: 1 }, pino({ level: 'silent' }));
  await storeCountries(store);
  await store.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    await fillTables(client, country, report);
    const seals: object[] = [];
    const rows: object[] = [];
    const send = async (): Promise<void> => {
      await insertRows(client, 'audit', rows.splice(0));
      await insertRows(client, 'audit_seals', seals.splice(0));
    };
    for (const row of generateAuditRows(country, audit[0], count, seals)) if (rows.push(row) === batch) await send();
    await send();
    await client.query(`select setval(pg_get_serial_sequence('audit', 'seq'), $1)`, [count]);
    report('audit', count);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

async function insertRows(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join();
  if (rows.length === 0) return;
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}
