/** Formats rows as CSV (RFC 4180). Escapes formulas, so that spreadsheets do not evaluate them (CSV injection). */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/**
 * Matches the beginning of a formula, in ASCII or full width, after optional spaces and quotes. It may follow the start of the text or any separator,
 * because spreadsheets split cells at different separators (semicolons in Spanish).
 */
const formulaStart = /(^|[,;|\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Quotes a cell of a CSV file. Inserts an apostrophe before a formula, so that spreadsheets read the cell as text. */
function formatCell(text: string): string {
  const inert = text.replace(formulaStart, "$1'$2");
  return `"${inert.replaceAll('"', '""')}"`;
}
