/** Whether a word has the form of an e-mail address. */
export function isAddress(word: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(word);
}
