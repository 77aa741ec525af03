/** C0 controls but tabs and line breaks, and halves of characters: no text of a citizen has them, and databases refuse them. */
const refused = /(?![\t\n\r\u007f-\u009f])\p{Cc}|\p{Cs}/u;

/** Whether a text holds no control and no half of a character. */
export function isPlainText(text: string): boolean {
  return !refused.test(text);
}

/** The path of the first text of a body that is not plain, `''` where the name of a field is not; null when all are. */
export function unplainField(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') return isPlainText(value) ? null : path.join('.');
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = isPlainText(name) ? unplainField(inner, [...path, name]) : '';
    if (found !== null) return found;
  }
  return null;
}
