import type { FastifyInstance } from 'fastify';

/** The only content type that the server reads is JSON: no form of another site can send it. */
export function readJsonOnly(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error'); // refuses __proto__ and constructor.prototype keys
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, parse);
}
