import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../operations/services.ts';
import { sendModules } from './send-modules.ts';

/** Where browsers read which links of a page of information they may follow ahead. */
export const speculationRules = '/assets/speculation-rules.json';

// From the press on a link to its release: a page carries the time of the server, so it may not lie around. Links with a query say
// something of their reader, or change the language.
const speculation = JSON.stringify({
  prefetch: [
    { where: { and: [{ href_matches: '/*' }, { not: { href_matches: '/*\\?(.+)' } }] }, eagerness: 'conservative' },
  ],
});

/**
 * Serves the hashed files of the build under /assets/, compressed ahead of time, for ever. While replicas are replaced, a page of one build asks a
 * replica of another for its scripts: those stand in the database.
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
      assets.get('/*', send); // before the pages, whose route takes every address
      await assets.register(fastifyStatic, {
        root: join(folder, 'assets'),
        decorateReply: false,
        index: false,
        preCompressed: true,
        maxAge: '365d',
        immutable: true,
        // A route a file: by its wildcard it reads the whole folder at every request, to compare the case of the name.
        wildcard: false,
        globIgnore: ['**/*.br', '**/*.gz'],
      });
    },
    { prefix: '/assets/' },
  );
}
