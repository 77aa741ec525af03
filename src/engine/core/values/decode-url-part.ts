/** Decodes a part of a URL, such as a fragment or a file name. Returns malformed input unchanged, e.g. `100%.pdf`. */
export function decodeUrlPartLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
