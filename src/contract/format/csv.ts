/** Formats rows as CSV (RFC 4180). Escapes formulas, so that spreadsheets do not evaluate them (CSV injection). */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** Beginning of a formula, at the start or after any separator, because the separator of cells depends on the language of the spreadsheet. */
const formulaStart = /(^|[,;|\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

function formatCell(text: string): string {
  const inert = text.replace(formulaStart, "$1'$2");
  return `"${inert.replaceAll('"', '""')}"`;
}
