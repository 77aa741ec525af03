import { CsvError, parse } from 'csv-parse/sync';

/**
 * Parses CSV (RFC 4180) whose first line contains the column names. Throws an error with file and position if a column is missing, a record has the
 * wrong length, or quotes are malformed.
 */
export function parseCsv<Column extends string>(
  text: string,
  columns: readonly Column[],
  file: string,
): readonly Readonly<Record<Column, string>>[] {
  const [head = [], ...lines] = records(text, file);
  const places = columns.map((column) => head.indexOf(column));
  const missing = columns.filter((_, index) => places[index] === -1);
  if (missing.length > 0) throw new Error(`${file}:1 lacks the column ${missing.join(', ')}`);
  return lines.map((cells, index) => {
    if (cells.length !== head.length)
      throw new Error(`${file}: record ${index + 2} has ${cells.length} cells, not ${head.length}`);
    const values = columns.map((column, at) => [column, cells[places[at] ?? -1] ?? '']);
    return Object.fromEntries(values) as Record<Column, string>; // fromEntries loses the key types
  });
}

function records(text: string, file: string): readonly (readonly string[])[] {
  try {
    return parse(text, { bom: true, trim: true, relax_column_count: true, skip_records_with_empty_values: true });
  } catch (error) {
    throw error instanceof CsvError ? new Error(`${file}: ${error.message}`) : error;
  }
}
