import { readFile } from 'node:fs/promises';
import { normalizeDocument } from '../../../platform/base/identity-document.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { CsvError, parse } from 'csv-parse/sync';

const registryColumns = [
  'numero_documento',
  'primer_nombre',
  'segundo_nombre',
  'primer_apellido',
  'segundo_apellido',
  'fecha_nacimiento',
  'numero_serie',
] as const;

export async function importIdentityRegistryCsv(store: DatabaseStore, file: string): Promise<number> {
  const rows = parseCsv(await readFile(file, 'utf8'), registryColumns, file);
  for (let from = 0; from < rows.length; from += 500) {
    const values = rows.slice(from, from + 500).map((row) => ({
      number: normalizeDocument(null, null, row.numero_documento).number,
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

/** Parses CSV (RFC 4180). Throws an error with file and position if a column is missing, a record has the wrong length, or quotes are malformed. */
export function parseCsv<Column extends string>(
  text: string,
  columns: readonly Column[],
  file: string,
): readonly Readonly<Record<Column, string>>[] {
  const [head = [], ...lines] = parseRecords(text, file);
  const places = columns.map((column) => head.indexOf(column));
  const missing = columns.filter((_, index) => places[index] === -1);
  if (missing.length > 0) throw new Error(`${file}:1 lacks the column ${missing.join(', ')}`);
  return lines.map((cells, index) => {
    if (cells.length !== head.length)
      throw new Error(`${file}: record ${index + 2} has ${cells.length} cells, not ${head.length}`);
    const values = columns.map((column, at) => [column, cells[places[at] ?? -1] ?? '']);
    return Object.fromEntries(values) as Record<Column, string>; // the cast is needed because `Object.fromEntries` loses the key types
  });
}

function parseRecords(text: string, file: string): readonly (readonly string[])[] {
  try {
    return parse(text, { bom: true, trim: true, relax_column_count: true, skip_records_with_empty_values: true });
  } catch (error) {
    throw error instanceof CsvError ? new Error(`${file}: ${error.message}`) : error;
  }
}
