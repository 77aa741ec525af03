const obeyed = /(?![\t\n])\p{Cc}|\p{Bidi_Control}/gu;

/** What strangers wrote, for a terminal: what it would obey, or would show in another order, is a dot. */
export function printable(text: string): string {
  return text.replace(obeyed, '\u00b7');
}
