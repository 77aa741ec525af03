import type { FastifyInstance } from 'fastify';
import { sendMalformedUrl } from './page-routes.ts';
import { isPlainText } from '../http/plain-text.ts';
import type { Site } from '../http/site.ts';

/** Refuses every address whose path or query holds such a character, before any handler. */
export function refuseUnplainAddresses(http: FastifyInstance, site: Site): void {
  http.addHook('onRequest', async (request, reply) =>
    isPlainAddress(request.url) ? undefined : sendMalformedUrl(request, reply, site),
  );
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
