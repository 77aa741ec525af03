export function dataUrl(name: string, type: string, base64: string): string {
  return `data:${type};name=${encodeURIComponent(name)};base64,${base64}`;
}

/** Decodes a data URL whose form the screen has checked. */
export function bytesOf(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
