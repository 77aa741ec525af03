export function isAddress(word: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(word);
}
