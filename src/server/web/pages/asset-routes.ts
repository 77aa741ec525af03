import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Serves the hashed files of the build under /assets/, compressed ahead of time, for ever. */
export async function registerAssets(http: FastifyInstance, folder: string): Promise<void> {
  await http.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
    wildcard: true,
  });
}
