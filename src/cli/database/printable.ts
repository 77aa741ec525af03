const obeyed = /(?![\t\n])\p{Cc}|\p{Bidi_Control}/gu;

/** Replaces control characters and bidirectional controls of untrusted text, which a terminal would interpret, by a dot. */
export function printable(text: string): string {
  return text.replace(obeyed, '\u00b7');
}
