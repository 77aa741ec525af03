import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../operations/services.ts';
import { sendModules } from './definition-routes.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { logoFolder } from '../../trust/federation/clients/logos.ts';

/** Speculation rules of the pages that are complete without scripts: the links that browsers may prefetch. */
export const speculationRules = '/assets/speculation-rules.json';

// "conservative" prefetches when a link is pressed. Earlier would be too early, because pages contain the server's time. Links with a query are
// excluded: they depend on the reader or change the language.
const speculation = JSON.stringify({
  prefetch: [
    { where: { and: [{ href_matches: '/*' }, { not: { href_matches: '/*\\?(.+)' } }] }, eagerness: 'conservative' },
  ],
});

/**
 * Serves the hashed, precompressed files of the build under /assets/ with unlimited caching. During a rolling update, a page of one build may request
 * its scripts from a replica of another. These are read from the database.
 */
export async function registerAssets(
  http: FastifyInstance,
  folder: string,
  services: Pick<Services, 'module'>,
): Promise<void> {
  await http.register(
    async (assets) => {
      assets.get('/speculation-rules.json', async (_request, reply) =>
        reply
          .header('cache-control', 'public, max-age=86400')
          .type('application/speculationrules+json')
          .send(speculation),
      );
      const send = sendModules((url) => services.module(url));
      assets.get('/*', send); // takes precedence over the catch-all route of the pages
      await assets.register(fastifyStatic, {
        root: join(folder, 'assets'),
        decorateReply: false,
        index: false,
        preCompressed: true,
        maxAge: '365d',
        immutable: true,
        // One route per file. With the wildcard, the plugin reads the whole directory at each request, to compare the case of the name.
        wildcard: false,
        globIgnore: ['**/*.br', '**/*.gz'],
      });
    },
    { prefix: '/assets/' },
  );
}

/** Serves the stored logos. The content of a hash never changes. */
export function registerLogos(http: FastifyInstance, services: Services): void {
  http.get<{ Params: { hash: string } }>(`${logoFolder}:hash`, async (request, reply) => {
    const { hash } = request.params;
    const logo = /^[0-9a-f]{64}$/.test(hash) ? await services.logo(hash) : null;
    if (logo === null) throw new OperationError(404, 'no_encontrado');
    return reply
      .headers({ 'content-type': logo.type, 'cache-control': 'public, max-age=31536000, immutable' })
      .send(logo.content);
  });
}
