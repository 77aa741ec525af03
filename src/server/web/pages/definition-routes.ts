import type { FastifyInstance } from 'fastify';
import type { DefinitionsSource } from '../../../engine/compiler/definitions.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { pageLanguage } from '../../platform/http/language.ts';
import { readCookies } from '../../platform/http/cookies.ts';
import type { Site } from '../../platform/http/site.ts';
import type { Services } from '../operations/services.ts';
import { sendModules } from './send-modules.ts';
import { deskManifestFile, sidesOf } from './sides.ts';

/** Serves the compiled definitions: the current manifest, and at its hashed address every module that a replica served recently. */
export function registerDefinitions(
  http: FastifyInstance,
  definitions: DefinitionsSource,
  { site, services }: { readonly site: Site; readonly services: Pick<Services, 'sitsAtDesk' | 'module'> },
): void {
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

  http.get(
    '/definitions/*',
    sendModules(async (url) => definitions.module(url) ?? services.module(url)),
  );
}
