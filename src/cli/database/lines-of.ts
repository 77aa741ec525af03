/** The lines of a text that comes in pieces. Newer versions of Node.js's readline break lines at U+2028 as well, which values in JSON may hold. */
export async function* splitLines(text: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
