import type { IncomingMessage } from 'node:http';

/**
 * Longest path and query together, in characters. RFC 9110, section 4.1, asks for 8,000. A signed SAML message deflated into a query, and an authorization
 * request with `claims` or a JAR, have a few thousand. The rest of the 16 kB that Node.js reads of a head is left to the headers.
 */
const longestAddress = 12 * 1024;

/** Longest path, in characters: percent-encoded, the longest of the product has 120. */
export const longestPath = 2 * 1024;

/** Most slashes of a path, empty segments included: the deepest path of the product has seven. Routers and pages look at each segment. */
const mostSlashes = 32;

/** Most parameters of a query or a form, repeated ones included: no message of the protocols has half as many. */
export const mostParameters = 64;

/** Status with which a request is refused for its address alone (RFC 9110, sections 15.5.1 and 15.5.15), before anything reads it. Returns `null` if it is within the bounds. */
export function refusedAddress(url: string): 400 | 414 | null {
  if (url.length > longestAddress) return 414;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (path.length > longestPath) return 414;
  if (hasMore(path, '/', mostSlashes)) return 400;
  return query !== -1 && hasMore(url.slice(query), '&', mostParameters - 1) ? 400 : null;
}

/** The address that a router reads: the origin form of the target, and the home page's in place of one that is out of bounds, which is refused before any route. */
export function routedUrl({ url = '/' }: IncomingMessage): string {
  return refusedAddress(url) === null ? originForm(url) : '/';
}

/**
 * The path and query of a request's target, which may name a host as well (absolute-form of RFC 9112, section 3.2.2): whoever builds an address of the
 * target would take that host for ours.
 */
export function originForm(url: string): string {
  const [absolute] = absoluteForm.exec(url) ?? [];
  return absolute === undefined ? url : url.slice(absolute.length).replace(/^(?!\/)/, '/');
}

/** The beginning of a target in absolute form, and its host. */
export const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/** Whether a text holds a character more often than `most` times. */
export function hasMore(text: string, character: string, most: number): boolean {
  let at = -1;
  for (let count = 0; count <= most; count += 1) {
    at = text.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}
