export interface DataUrlFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Parses `data:<type>;name=<name>;base64,<content>`. Returns `null` for anything else. */
export function readDataUrl(url: unknown): DataUrlFile | null {
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
    return null; // invalid base64 or percent-encoding
  }
}
