/** Rows of texts as CSV (RFC 4180), which spreadsheets open without running anything. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/**
 * What a spreadsheet reads as a formula, in ASCII or full width. It counts wherever a cell may begin: at the start of the text and behind each
 * character that some spreadsheet separates cells by, whatever the file says (Spanish ones separate by semicolons). Blanks and quotes before it do not hide it.
 */
const formulas = /(^|[,;|\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** An apostrophe in front of a formula makes it a text. */
function cell(text: string): string {
  const inert = text.replace(formulas, "$1'$2");
  return `"${inert.replaceAll('"', '""')}"`;
}
