import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../operations/services.ts';
import { sendModules } from './send-modules.ts';

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
