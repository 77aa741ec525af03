/** A file that came as a data URL with a name. */
export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads `data:<type>;name=<name>;base64,<content>`; null for anything else. */
export function readDataUrl(url: unknown): GivenFile | null {
  const [, type, name, content] =
    /^data:([\w./+-]+);name=([^;,]+);base64,([A-Za-z0-9+/]*={0,2})$/.exec(typeof url === 'string' ? url : '') ?? [];
  if (type === undefined || name === undefined || content === undefined) return null;
  try {
    return {
      name: decodeURIComponent(name),
      type,
      bytes: Uint8Array.from(atob(content), (character) => character.charCodeAt(0)),
    };
  } catch {
    return null; // cut off on the way
  }
}
