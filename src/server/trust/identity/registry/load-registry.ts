import { readFile } from 'node:fs/promises';
import { readDocument } from '../../../platform/base/document.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { parseCsv } from './parse-csv.ts';

const columns = [
  'numero_documento',
  'primer_nombre',
  'segundo_nombre',
  'primer_apellido',
  'segundo_apellido',
  'fecha_nacimiento',
  'numero_serie',
] as const;

/** Loads a CSV file with these columns into the registry table and returns the number of rows. Existing numbers are overwritten. */
export async function loadRegistry(store: Store, file: string): Promise<number> {
  const rows = parseCsv(await readFile(file, 'utf8'), columns, file);
  for (let from = 0; from < rows.length; from += 500) {
    const values = rows.slice(from, from + 500).map((row) => ({
      number: readDocument(null, null, row.numero_documento).number,
      first_name: row.primer_nombre,
      second_name: row.segundo_nombre,
      first_surname: row.primer_apellido,
      second_surname: row.segundo_apellido,
      birth_date: row.fecha_nacimiento,
      serial: row.numero_serie,
    }));
    await store.db
      .insertInto('registry')
      .values(values)
      .onConflict((conflict) =>
        conflict.column('number').doUpdateSet(({ ref }) => ({
          first_name: ref('excluded.first_name'),
          second_name: ref('excluded.second_name'),
          first_surname: ref('excluded.first_surname'),
          second_surname: ref('excluded.second_surname'),
          birth_date: ref('excluded.birth_date'),
          serial: ref('excluded.serial'),
        })),
      )
      .execute();
  }
  return rows.length;
}
