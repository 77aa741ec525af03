/** A text in both languages as it is now, e.g. as it is typed. */
export interface TextPair {
  readonly es: string;
  readonly pt: string;
}

/** Which of the texts one looks for. */
export const textKinds = ['All', 'Missing', 'Same', 'Long', 'Changed'] as const;
export type TextKind = (typeof textKinds)[number];

/** A translation that is this many times as long may not fit where the text does. */
const muchLonger = 1.3;
/** In short texts some letters more are many times as much. */
const someLetters = 10;

/** Whether a text is what one looks for: not translated, the same in both languages, or much longer in Portuguese. */
export function isOfKind(kind: TextKind, { es, pt }: TextPair): boolean {
  const [own, other] = [lettersOf(es), lettersOf(pt)];
  if (kind === 'Missing') return own > 0 && other === 0;
  if (kind === 'Same') return own > 0 && es.trim() === pt.trim();
  return kind === 'All' || (other > own * muchLonger && other > own + someLetters);
}

/** How many letters somebody counts: an accent is no letter of its own. */
export function lettersOf(text: string): number {
  return [...text.trim().normalize('NFC')].length;
}
