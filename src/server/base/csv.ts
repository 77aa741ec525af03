/** Writes rows as CSV (RFC 4180), which spreadsheets open without running anything. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A cell that a spreadsheet would read as a formula, also after blanks, gets an apostrophe in front: it then stays a text. */
function cell(text: string): string {
  const inert = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}
