/** Complete, without user name. Browsers also accept `https:evil` and `https:///evil` (WHATWG URL), but other parsers do not. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/i.test(text)) return false;
  try {
    return new URL(text).hostname !== '';
  } catch {
    return false;
  }
}
