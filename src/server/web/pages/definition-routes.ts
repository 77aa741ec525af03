import type { FastifyInstance } from 'fastify';
import type { DefinitionsSource } from '../../../engine/compiler/definitions.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { acceptedEncoding, encode, type Encoded } from '../../platform/http/encoding.ts';
import { pageLanguage } from '../../platform/http/language.ts';
import { readCookies } from '../../platform/http/cookies.ts';
import type { Site } from '../../platform/http/site.ts';
import type { Services } from '../operations/services.ts';
import { deskManifestFile, sidesOf } from './sides.ts';

/** Most compressed modules that are kept in memory. */
const keptModules = 500;

/** Serves the compiled definitions: the manifest of now, and every module under its hashed address for ever. */
export function registerDefinitions(
  http: FastifyInstance,
  definitions: DefinitionsSource,
  { site, services }: { readonly site: Site; readonly services: Pick<Services, 'sitsAtDesk'> },
): void {
  const kept = new Map<string, Promise<Encoded>>();

  http.get<{ Querystring: { lang?: unknown } }>('/definitions/manifest.json', async (request) => {
    const { 'accept-language': header } = request.headers;
    const language = pageLanguage({ query: request.query.lang, cookie: undefined, header });
    return sidesOf(definitions.current).citizens(language);
  });

  http.get(`/definitions/${deskManifestFile}.json`, async (request) => {
    if (!(await services.sitsAtDesk(readCookies(request, site.secureCookies).session)))
      throw new OperationError(404, 'no_encontrado');
    return sidesOf(definitions.current).desk;
  });

  http.get('/definitions/*', async (request, reply) => {
    const url = request.url.split('?', 1)[0] ?? '';
    const source = definitions.module(url);
    if (source === undefined) throw new OperationError(404, 'no_encontrado');
    const acceptEncoding = request.headers['accept-encoding'];
    const key = `${acceptedEncoding(acceptEncoding) ?? ''} ${url}`;
    const encoded = kept.get(key) ?? encode(source, acceptEncoding, 'once');
    if (kept.size < keptModules) kept.set(key, encoded);
    const { body, encoding } = await encoded;
    if (encoding) reply.header('content-encoding', encoding);
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type('text/javascript; charset=utf-8')
      .send(body);
  });
}
