import type { FastifyInstance } from 'fastify';
import type { DefinitionsSource } from '../../../engine/compiler/definitions.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { acceptedEncoding, encode, type Encoded } from '../../platform/http/encoding.ts';
import { pageLanguage } from '../../platform/http/language.ts';
import { readCookies } from '../../platform/http/cookies.ts';
import type { Site } from '../../platform/http/site.ts';
import type { Services } from '../operations/services.ts';
import { deskManifestFile, sidesOf } from './sides.ts';

/** Most compressed modules that are kept in memory; the oldest makes way. */
const keptModules = 500;

/** Serves the compiled definitions: the manifest of now, and under its hashed address every module that a replica served lately. */
export function registerDefinitions(
  http: FastifyInstance,
  definitions: DefinitionsSource,
  { site, services }: { readonly site: Site; readonly services: Pick<Services, 'sitsAtDesk' | 'module'> },
): void {
  const kept = new Map<string, Promise<Encoded>>();
  const encodedModule = async (url: string, acceptEncoding: string | undefined): Promise<Encoded> => {
    const key = `${acceptedEncoding(acceptEncoding) ?? ''} ${url}`;
    const known = kept.get(key);
    if (known) return known;
    const source = definitions.module(url) ?? (await services.module(url));
    if (source === null) throw new OperationError(404, 'no_encontrado');
    const encoded = kept.get(key) ?? encode(source, acceptEncoding, 'once'); // who asked at the same time may have made it
    kept.set(key, encoded);
    const [oldest] = kept.keys();
    if (kept.size > keptModules && oldest !== undefined) kept.delete(oldest);
    return encoded;
  };

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
    const acceptEncoding = request.headers['accept-encoding'];
    const { body, encoding } = await encodedModule(url, acceptEncoding);
    if (encoding) reply.header('content-encoding', encoding);
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type('text/javascript; charset=utf-8')
      .send(body);
  });
}
