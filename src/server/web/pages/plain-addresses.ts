import type { FastifyInstance } from 'fastify';
import { sendMalformedUrl } from './page-routes.ts';
import { isPlainText } from '../../platform/http/plain-text.ts';
import type { Site } from '../../platform/http/site.ts';

/** Refuses every address whose path or query holds a character that is not plain, and every request with two hosts, before any handler. */
export function refuseUnplainAddresses(http: FastifyInstance, site: Site): void {
  http.addHook('onRequest', async (request, reply) =>
    isPlainAddress(request.url) && !hasTwoHosts(request.raw.rawHeaders)
      ? undefined
      : sendMalformedUrl(request, reply, site),
  );
}

/** RFC 9112, section 3.2: such a request is answered 400. Node keeps the first alone. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

function isPlainAddress(url: string): boolean {
  const [path = '', ...query] = url.split('?');
  const pairs = [...new URLSearchParams(query.join('?'))].flat();
  return [decoded(path), ...pairs].every(isPlainText);
}

/** What cannot be decoded is refused by the router. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
