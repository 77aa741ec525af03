/** Whether a text is a complete URL without a user name. Rejects `https:evil` and `https:///evil`, which only browsers accept (WHATWG URL). */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/i.test(text)) return false;
  try {
    return new URL(text).hostname !== '';
  } catch {
    return false;
  }
}
