/** Controls but tabs and line breaks, which terminals obey, and halves of characters, which databases refuse: no text of a citizen has them. */
const refused = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;

/** Whether a text holds no control and no half of a character. */
export function isPlainText(text: string): boolean {
  return !refused.test(text);
}

/** The path of the first text of a body that is not plain, of the object around a name that is not; null when all are. */
export function unplainField(value: unknown): string | null {
  return unplainSteps(value)?.join('.') ?? null;
}

function unplainSteps(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return isPlainText(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (!isPlainText(name)) return [];
    const steps = unplainSteps(inner);
    if (steps !== null) return [name, ...steps];
  }
  return null;
}
