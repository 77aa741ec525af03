export type TableRow = Readonly<Record<string, string | number>>;

/** Formats rows with the same keys as a Markdown table. Numbers have three significant digits. */
export function formatMarkdownTable(rows: readonly TableRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(names.map((name) => cellOf(row[name] ?? '')))),
  ].join('\n');
}

function cellOf(value: string | number): string {
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
}
