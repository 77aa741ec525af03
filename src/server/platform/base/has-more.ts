/** Whether a text holds a character more often than `most` times. */
export function hasMore(text: string, character: string, most: number): boolean {
  let at = -1;
  for (let count = 0; count <= most; count += 1) {
    at = text.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}
