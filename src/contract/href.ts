/**
 * Builds an address: encodes each segment (ñ cannot stand raw in a Location header), fills the query, leaves out
 * undefined values. `path` is written as people read it, e.g. `/contraseña/restablecer`.
 */
export function href(path: string, query: Readonly<Record<string, string | undefined>> = {}, base = ''): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  const encoded = path.normalize('NFC').split('/').map(encodeSegment).join('/');
  return base.replace(/\/$/, '') + encoded + (search.size > 0 ? `?${search}` : '');
}

/** Reads a path as typed or encoded: decoded, NFC, without a trailing slash; null when it is malformed. */
export function readPath(path: string): string | null {
  try {
    return withoutTrailingSlashes(decodeURIComponent(path).normalize('NFC'));
  } catch {
    return null;
  }
}

/** Decodes a part of an address, such as its fragment; as it is where it is malformed: nobody can do more with it. */
export function decodeLenient(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes a path but for what would change its meaning; as it is where it is malformed. */
export function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Not by an expression: one that is not anchored at its start tries each slash of a long row anew. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.endsWith('/', end)) end -= 1;
  return path.slice(0, end);
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment);
}
