import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerServices } from '../operations/server-services.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { logoPathPrefix } from '../../trust/federation/clients/logo-store.ts';
import type { LiveDefinitions } from '../../../engine/compiler/definitions.ts';
import { selectPageLanguage } from '../../platform/http/request-language.ts';
import { readPortalCookies } from '../../platform/http/cookies.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';
import { deskManifestFile, getAudienceManifests } from './audience-manifests.ts';
import { selectContentEncoding, compressText, type EncodedText } from '../../platform/http/compress-text.ts';

/** Maximum number of compressed texts in memory. The oldest is evicted first. */
const maxCachedTexts = 500;

/** Creates a handler that serves immutable files and compresses each once. Responds with a 404 if `find` returns `null`. */
function createModuleHandler(
  find: (url: string) => Promise<string | null>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const kept = new Map<string, Promise<EncodedText>>();
  const getCompressed = async (url: string, acceptEncoding: string | undefined): Promise<EncodedText> => {
    const key = `${selectContentEncoding(acceptEncoding) ?? ''} ${url}`;
    const known = kept.get(key);
    if (known) return known;
    const source = await find(url);
    if (source === null) throw new OperationError(404, 'no_encontrado');
    const made = kept.get(key) ?? compressText(source, acceptEncoding, 'once'); // a parallel request may have started the compression
    kept.set(key, made);
    const [oldest] = kept.keys();
    if (kept.size > maxCachedTexts && oldest !== undefined) kept.delete(oldest);
    return made;
  };
  return async (request, reply) => {
    const url = request.url.split('?', 1)[0] ?? '';
    const { body, encoding } = await getCompressed(url, request.headers['accept-encoding']);
    if (encoding) reply.header('content-encoding', encoding);
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type(`text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
      .send(body);
  };
}

/** Serves the current manifest, and the modules that a replica served recently, at their hashed URLs. */
export function registerDefinitionRoutes(
  http: FastifyInstance,
  definitions: LiveDefinitions,
  site: SiteSettings,
  services: ServerServices,
): void {
  http.get<{ Querystring: { lang?: unknown } }>('/definitions/manifest.json', async (request) => {
    const { 'accept-language': header } = request.headers;
    const language = selectPageLanguage({ query: request.query.lang, cookie: undefined, header });
    return getAudienceManifests(definitions.current).citizens(language);
  });

  http.get(`/definitions/${deskManifestFile}.json`, async (request) => {
    if (!(await services.isDeskSession(readPortalCookies(request, site.secureCookies).session)))
      throw new OperationError(404, 'no_encontrado');
    return getAudienceManifests(definitions.current).desk;
  });

  http.get(
    '/definitions/*',
    createModuleHandler(async (url) => definitions.module(url) ?? services.module(url)),
  );
}

/** URL of the rules for links that browsers may prefetch. Only pages that are complete without scripts refer to the rules. */
export const speculationRulesPath = '/assets/speculation-rules.json';

// With "conservative", the browser prefetches a page when its link is pressed. A page contains the server's time, which would be outdated after an
// earlier prefetch. Links with a query are excluded, because their pages depend on the user or change the language.
const speculationRulesJson = JSON.stringify({
  prefetch: [
    { where: { and: [{ href_matches: '/*' }, { not: { href_matches: '/*\\?(.+)' } }] }, eagerness: 'conservative' },
  ],
});

/**
 * Serves the scripts and stylesheets of the build. During a rolling update, a page may request a file of another replica's build, which is then read
 * from the database.
 */
export async function registerAssetRoutes(
  http: FastifyInstance,
  folder: string,
  services: Pick<ServerServices, 'module'>,
): Promise<void> {
  await http.register(
    async (assets) => {
      assets.get('/speculation-rules.json', async (_request, reply) =>
        reply
          .header('cache-control', 'public, max-age=86400')
          .type('application/speculationrules+json')
          .send(speculationRulesJson),
      );
      // @fastify/static adds the charset only to text types, and SVG is XML.
      assets.addHook('onSend', async (_request, reply) => {
        if (reply.getHeader('content-type') === 'image/svg+xml') reply.type('image/svg+xml; charset=utf-8');
      });
      const send = createModuleHandler((url) => services.module(url));
      assets.get('/*', send); // takes precedence over the catch-all route of the pages
      await assets.register(fastifyStatic, {
        root: join(folder, 'assets'),
        decorateReply: false,
        index: false,
        preCompressed: true,
        maxAge: '365d',
        immutable: true,
        wildcard: false, // with a wildcard route, @fastify/static would read the directory at each request, to compare the case of the file name
        globIgnore: ['**/*.br', '**/*.gz'],
      });
    },
    { prefix: '/assets/' },
  );
}

/** Serves logos of applications. The URL of a logo contains the hash of its content, so browsers may cache the logo for a year. */
export function registerLogoRoutes(http: FastifyInstance, services: ServerServices): void {
  http.get<{ Params: { hash: string } }>(`${logoPathPrefix}:hash`, async (request, reply) => {
    const { hash } = request.params;
    const logo = /^[0-9a-f]{64}$/.test(hash) ? await services.findLogo(hash) : null;
    if (logo === null) throw new OperationError(404, 'no_encontrado');
    return reply
      .headers({ 'content-type': logo.type, 'cache-control': 'public, max-age=31536000, immutable' })
      .send(logo.content);
  });
}
