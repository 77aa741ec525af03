import type { IncomingMessage } from 'node:http';

/**
 * Maximum number of characters of path and query. RFC 9110, section 4.1, recommends to support 8,000. A deflated signed SAML message, and an
 * authorization request with `claims` or a JAR, have a few thousand. Node.js reads 16 kB of request line and headers, so 4 kB remain for the headers.
 */
export const maxRequestTargetLength = 12 * 1024;

/** Maximum length of a path. The longest path of the product has 120 characters when percent-encoded. */
export const maxUrlPathLength = 2 * 1024;

/** Maximum number of slashes in a path, because routers and pages process each segment. The deepest path of the product has seven. */
const maxSlashes = 32;

/** Maximum number of parameters in a query or a form, including repeated ones. Protocol messages have less than half as many. */
export const maxRequestParameters = 64;

/** Returns the error status for a URL beyond the limits (RFC 9110, sections 15.5.1 and 15.5.15), without parsing it. */
export function findUrlLimitStatus(url: string): 400 | 414 | null {
  if (url.length > maxRequestTargetLength) return 414;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (path.length > maxUrlPathLength) return 414;
  if (hasMoreOccurrences(path, '/', maxSlashes)) return 400;
  return query !== -1 && hasMoreOccurrences(url.slice(query), '&', maxRequestParameters - 1) ? 400 : null;
}

/** Returns the URL that the router uses. Returns `/` for a URL beyond the limits, because a hook rejects the request before any route. */
export function toRoutedUrl({ url = '/' }: IncomingMessage): string {
  return findUrlLimitStatus(url) === null ? toOriginForm(url) : '/';
}

/**
 * Removes the host of a request target in absolute form (RFC 9112, section 3.2.2). If the target were resolved against the portal's origin, its host
 * would replace the portal's.
 */
export function toOriginForm(url: string): string {
  const [absolute] = absoluteFormPattern.exec(url) ?? [];
  return absolute === undefined ? url : url.slice(absolute.length).replace(/^(?!\/)/, '/');
}

export const absoluteFormPattern = /^https?:\/\/([^/?#]*)/i;

export function hasMoreOccurrences(text: string, character: string, most: number): boolean {
  let at = -1;
  for (let count = 0; count <= most; count += 1) {
    at = text.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}
