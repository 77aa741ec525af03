import { sql, type RawBuilder } from 'kysely';
import type { Store } from '../database/open-store.ts';
import type { StoredTable } from './table.ts';
import type { EncryptionKey } from '../keys/encryption-keys.ts';
import type { Vault } from '../keys/vault.ts';

/** Rows that one transaction encrypts anew: it locks no others, and not for long. */
const batch = 200;

type Tables = Readonly<Record<string, StoredTable>>;

/** How many sealed texts need a key, by table and column. */
export interface Needed {
  readonly table: string;
  readonly column: string;
  readonly count: number;
}

/** Counts what needs a key: sealed columns, and copies of them inside others, which go with their time. */
export async function countNeeding(store: Store, tables: Tables, key: EncryptionKey): Promise<readonly Needed[]> {
  const counted: Needed[] = [];
  for (const { table, column, from, value } of sealedIn(tables)) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${from} where ${sealedBy(value, key)}`.execute(store.db);
    counted.push({ table, column, count: rows[0]?.count ?? 0 });
  }
  return counted.filter(({ count }) => count > 0);
}

/**
 * Seals by the key of now what another one sealed, in batches, while servers read and write: it skips rows that somebody holds, and a second
 * run, or one at the same time, takes what is left. Tells after each batch how many of a column are done.
 */
export async function reEncrypt(
  store: Store,
  { tables, vault, key }: { tables: Tables; vault: Vault; key: EncryptionKey },
  tell: (table: string, column: string, done: number) => void,
): Promise<void> {
  for (const [table, { encrypted = {} }] of Object.entries(tables))
    for (const [column, purposeOf] of Object.entries(encrypted)) {
      let done = 0;
      for (;;) {
        const count = await store.transaction(async (tx) => {
          const value = sql.ref(column);
          const { rows } = await sql<Readonly<Record<string, unknown>> & { ctid: string }>`
            select ctid::text as ctid, * from ${sql.table(table)}
            where ${value} is not null and not ${sealedBy(value, key)} limit ${batch} for update skip locked`.execute(
            tx,
          );
          for (const row of rows) {
            const purpose = purposeOf(row);
            const sealed = vault.seal(purpose, vault.open(purpose, String(row[column])));
            await sql`update ${sql.table(table)} set ${value} = ${sealed} where ctid = ${row.ctid}::tid`.execute(tx);
          }
          return rows.length;
        });
        done += count;
        if (count > 0) tell(table, column, done);
        if (count < batch) break;
      }
    }
}

/** Whether a sealed text is of a key: it begins with the key's id, or, of the first one, with none. */
function sealedBy(value: RawBuilder<unknown>, { id, since }: EncryptionKey): RawBuilder<boolean> {
  return since === null ? sql`(${value} not like '%.%')` : sql`starts_with(${value}, ${`${id}.`})`;
}

function sealedIn(tables: Tables) {
  return Object.entries(tables).flatMap(([table, { encrypted = {}, copies = {} }]) => [
    ...Object.keys(encrypted).map((column) => ({ table, column, from: sql.table(table), value: sql.ref(column) })),
    ...Object.entries(copies).map(([column, path]) => ({
      table,
      column,
      from: sql`(select jsonb_path_query(${sql.ref(column)}, ${sql.lit(path)}) #>> '{}' as value from ${sql.table(table)}) as copies`,
      value: sql.ref('value'),
    })),
  ]);
}
