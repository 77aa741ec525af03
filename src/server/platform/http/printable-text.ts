/** Control characters other than tabs and line breaks, which terminals interpret, and lone surrogates, which databases reject. */
const nonPlainPattern = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;

export function isPrintableText(text: string): boolean {
  return !nonPlainPattern.test(text);
}

/** Returns the path of the first text that is not printable. For an invalid property name, returns the path of its object. */
export function findUnprintableText(value: unknown): string | null {
  return findNonPlainSteps(value)?.join('.') ?? null;
}

function findNonPlainSteps(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return isPrintableText(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (!isPrintableText(name)) return [];
    const steps = findNonPlainSteps(inner);
    if (steps !== null) return [name, ...steps];
  }
  return null;
}
