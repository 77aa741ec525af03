import type { Terminal } from '../command.ts';

/** Replaces control and bidirectional characters in untrusted text, because a terminal would interpret them. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}|\p{Bidi_Control}/gu, '\u00b7');
}

export function printLine({ out }: Terminal, line: string): void {
  out(`${line}\n`);
}

/** Splits at line feeds only: Node.js `readline` also splits at U+2028, which JSON strings may contain. */
export async function* splitLines(text: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
