/**
 * Whether a text is a whole address of http or https: scheme, `//`, host, and no user name. Browsers read `https:evil` and
 * `https:///evil` as one, too (WHATWG URL), other readers do not.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/i.test(text)) return false;
  try {
    return new URL(text).hostname !== '';
  } catch {
    return false;
  }
}
