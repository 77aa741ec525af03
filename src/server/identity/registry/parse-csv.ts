/** Reads a CSV text (commas, quotes doubled inside quotes, first line with the names of the columns) into rows. */
export function parseCsv<Column extends string>(
  text: string,
  columns: readonly Column[],
  file: string,
): readonly Readonly<Record<Column, string>>[] {
  const [head = [], ...lines] = records(text.replace(/^\uFEFF/, ''));
  const places = columns.map((column) => head.indexOf(column));
  const missing = columns.filter((_, index) => places[index] === -1);
  if (missing.length > 0) throw new Error(`${file}:1 lacks the column ${missing.join(', ')}`);
  return lines.map((cells, index) => {
    if (cells.length !== head.length)
      throw new Error(`${file}: record ${index + 2} has ${cells.length} cells, not ${head.length}`);
    const values = columns.map((column, at) => [column, cells[places[at] ?? -1] ?? '']);
    return Object.fromEntries(values) as Record<Column, string>; // fromEntries forgets the keys
  });
}

function records(text: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === ',') continue;
    if (cells.some((cell) => cell !== '')) found.push(cells);
    cells = [];
  }
  return found;
}
