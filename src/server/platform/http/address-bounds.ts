import type { IncomingMessage } from 'node:http';

/**
 * Longest path and query together, in characters. RFC 9110, section 4.1, recommends to support 8,000. A signed SAML message deflated into a query,
 * and an authorization request with `claims` or a JAR, have a few thousand. Node.js reads 16 kB of request line and headers. The rest is left to the
 * headers.
 */
const longestAddress = 12 * 1024;

/** Longest path, in characters. The longest of the product, percent-encoded, has 120. */
export const longestPath = 2 * 1024;

/** Most slashes of a path, including empty segments. The deepest path of the product has seven. Routers and pages process each segment. */
const maxSlashes = 32;

/** Most parameters of a query or a form, including repeated ones. No protocol message has half as many. */
export const maxRequestParameters = 64;

/** Returns the status that refuses a URL before it is parsed (RFC 9110, sections 15.5.1 and 15.5.15), or `null` if it is within the bounds. */
export function refusedAddress(url: string): 400 | 414 | null {
  if (url.length > longestAddress) return 414;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (path.length > longestPath) return 414;
  if (hasMore(path, '/', maxSlashes)) return 400;
  return query !== -1 && hasMore(url.slice(query), '&', maxRequestParameters - 1) ? 400 : null;
}

/** Returns the URL in origin form for the router. A URL out of bounds becomes `/`, because a hook refuses the request before any route. */
export function routedUrl({ url = '/' }: IncomingMessage): string {
  return refusedAddress(url) === null ? originForm(url) : '/';
}

/**
 * Returns the path and query of a request target, which may also name a host (absolute-form of RFC 9112, section 3.2.2). Resolved as it is, the
 * target would replace the portal's host by that one.
 */
export function originForm(url: string): string {
  const [absolute] = absoluteForm.exec(url) ?? [];
  return absolute === undefined ? url : url.slice(absolute.length).replace(/^(?!\/)/, '/');
}

/** Start of a target in absolute form, with its host. */
export const absoluteForm = /^https?:\/\/([^/?#]*)/i;

export function hasMore(text: string, character: string, most: number): boolean {
  let at = -1;
  for (let count = 0; count <= most; count += 1) {
    at = text.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}
