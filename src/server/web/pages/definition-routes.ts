import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DefinitionsSource } from '../../../engine/compiler/definitions.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { pageLanguage } from '../../platform/http/language.ts';
import { readCookies } from '../../platform/http/cookies.ts';
import type { Site } from '../../platform/http/site.ts';
import type { Services } from '../operations/services.ts';
import { deskManifestFile, findSides } from './sides.ts';
import { acceptedEncoding, encode, type Encoded } from '../../platform/http/encoding.ts';

/** Maximum number of compressed texts in memory. The oldest is evicted first. */
const keptTexts = 500;

/** Creates a handler for immutable files, which are compressed once. It responds with a 404 if `find` returns `null`. */
export function sendModules(
  find: (url: string) => Promise<string | null>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const kept = new Map<string, Promise<Encoded>>();
  const encoded = async (url: string, acceptEncoding: string | undefined): Promise<Encoded> => {
    const key = `${acceptedEncoding(acceptEncoding) ?? ''} ${url}`;
    const known = kept.get(key);
    if (known) return known;
    const source = await find(url);
    if (source === null) throw new OperationError(404, 'no_encontrado');
    const made = kept.get(key) ?? encode(source, acceptEncoding, 'once'); // a parallel request may have created it
    kept.set(key, made);
    const [oldest] = kept.keys();
    if (kept.size > keptTexts && oldest !== undefined) kept.delete(oldest);
    return made;
  };
  return async (request, reply) => {
    const url = request.url.split('?', 1)[0] ?? '';
    const { body, encoding } = await encoded(url, request.headers['accept-encoding']);
    if (encoding) reply.header('content-encoding', encoding);
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type(`text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
      .send(body);
  };
}

/** Serves the compiled definitions: the current manifest, and at its hashed address every module that a replica served recently. */
export function registerDefinitions(
  http: FastifyInstance,
  definitions: DefinitionsSource,
  { site, services }: { readonly site: Site; readonly services: Pick<Services, 'sitsAtDesk' | 'module'> },
): void {
  http.get<{ Querystring: { lang?: unknown } }>('/definitions/manifest.json', async (request) => {
    const { 'accept-language': header } = request.headers;
    const language = pageLanguage({ query: request.query.lang, cookie: undefined, header });
    return findSides(definitions.current).citizens(language);
  });

  http.get(`/definitions/${deskManifestFile}.json`, async (request) => {
    if (!(await services.sitsAtDesk(readCookies(request, site.secureCookies).session)))
      throw new OperationError(404, 'no_encontrado');
    return findSides(definitions.current).desk;
  });

  http.get(
    '/definitions/*',
    sendModules(async (url) => definitions.module(url) ?? services.module(url)),
  );
}
