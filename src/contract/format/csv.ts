/** Formats rows as CSV (RFC 4180) that spreadsheets do not evaluate. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/**
 * The beginning of a formula, in ASCII or full width, wherever a cell may begin: at the start of the text, and after each separator that some
 * spreadsheet uses, such as semicolons in Spanish ones. Skips spaces and quotes before a formula.
 */
const formulaStart = /(^|[,;|\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Quotes a cell of a CSV file. An apostrophe before a formula turns it into text. */
function formatCell(text: string): string {
  const inert = text.replace(formulaStart, "$1'$2");
  return `"${inert.replaceAll('"', '""')}"`;
}
