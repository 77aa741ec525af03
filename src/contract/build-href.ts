/** Encodes each segment of a readable path such as `/contraseña/restablecer`, because a Location header must be ASCII. */
export function buildHref(path: string, query: Readonly<Record<string, string | null | undefined>> = {}, base = '') {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, value);
  const encoded = path
    .normalize('NFC')
    .split('/')
    .map((segment) => encodeURIComponent(segment))
    .join('/');
  return base.replace(/\/$/, '') + encoded + (search.size > 0 ? `?${search}` : '');
}

/** Decodes and normalizes a path: NFC, without trailing slashes. Returns `null` if it is malformed. */
export function parseUrlPath(path: string): string | null {
  try {
    return stripTrailingSlashes(decodeURIComponent(path).normalize('NFC'));
  } catch {
    return null;
  }
}

/** Decodes a path except for reserved characters such as `%2F`, which would change its segments. Returns a malformed path unchanged. */
export function decodeUrlPath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Removes trailing slashes. A regular expression would take quadratic time on a long run of slashes. */
function stripTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.endsWith('/', end)) end -= 1;
  return path.slice(0, end);
}
