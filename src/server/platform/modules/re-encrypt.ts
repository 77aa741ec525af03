import { sql, type RawBuilder } from 'kysely';
import type { DatabaseStore } from '../database/open-store.ts';
import type { TableDescription } from './table-descriptions.ts';
import type { EncryptionKey } from '../keys/encryption-keys.ts';
import type { Vault } from '../keys/vault.ts';

/** Few, so that each transaction locks rows only briefly. */
const rowsPerTransaction = 200;

type Tables = Readonly<Record<string, TableDescription>>;

/** Counts the values that `key` encrypted, by column. Also counts copies of these values in other columns, which expire with their rows. */
export async function countValuesEncryptedWithKey(store: DatabaseStore, tables: Tables, key: EncryptionKey) {
  const counted: { readonly table: string; readonly column: string; readonly count: number }[] = [];
  for (const { table, column, from, value } of listEncryptedColumns(tables)) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${from} where ${isEncryptedBy(value, key)}`.execute(store.db);
    counted.push({ table, column, count: rows[0]?.count ?? 0 });
  }
  return counted.filter(({ count }) => count > 0);
}

/**
 * Re-encrypts the values that were encrypted with another key than `key`, in batches, while servers run. Skips locked rows, which a second run
 * processes.
 */
export async function reEncryptValues(
  store: DatabaseStore,
  { tables, vault, key }: { tables: Tables; vault: Vault; key: EncryptionKey },
  onProgress: (table: string, column: string, done: number) => void,
): Promise<void> {
  for (const [table, { encrypted = {} }] of Object.entries(tables))
    for (const [column, purposeOf] of Object.entries(encrypted)) {
      let done = 0;
      for (;;) {
        const count = await store.transaction(async (tx) => {
          const value = sql.ref(column);
          const { rows } = await sql<Readonly<Record<string, unknown>> & { ctid: string }>`
            select ctid::text as ctid, * from ${sql.table(table)}
            where ${value} is not null and not ${isEncryptedBy(value, key)} limit ${rowsPerTransaction} for update skip locked`.execute(
            tx,
          );
          for (const row of rows) {
            const purpose = purposeOf(row);
            const sealed = vault.encrypt(purpose, vault.decrypt(purpose, String(row[column])));
            await sql`update ${sql.table(table)} set ${value} = ${sealed} where ctid = ${row.ctid}::tid`.execute(tx);
          }
          return rows.length;
        });
        done += count;
        if (count > 0) onProgress(table, column, done);
        if (count < rowsPerTransaction) break;
      }
    }
}

/** Values have the id of their key as prefix, or no prefix if the key is the first one. */
function isEncryptedBy(value: RawBuilder<unknown>, { id, since }: EncryptionKey): RawBuilder<boolean> {
  return since === null ? sql`(${value} not like '%.%')` : sql`starts_with(${value}, ${`${id}.`})`;
}

function listEncryptedColumns(tables: Tables) {
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
