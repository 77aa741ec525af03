/** Splits a stream of text into lines. Newer versions of Node.js's readline also split at U+2028, which JSON values may contain. */
export async function* splitLines(text: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
