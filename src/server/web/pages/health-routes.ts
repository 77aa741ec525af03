import type { FastifyInstance } from 'fastify';
import type { DefinitionsSource } from '../../../engine/compiler/definitions.ts';
import type { Services } from '../operations/services.ts';
import type { LoopLag } from '../../platform/load/loop-lag.ts';

/** Addresses that a busy server still answers. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

interface Health {
  readonly services: Pick<Services, 'ready'>;
  readonly definitions: DefinitionsSource;
  readonly lag: Pick<LoopLag, 'read'>;
}

/**
 * `/healthz`: the event loop answers, and how far it is behind. `/readyz`: so does the database (503 while it cannot), and which definitions are in
 * service.
 */
export function registerHealth(http: FastifyInstance, { services, definitions, lag }: Health): void {
  http.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok', lag_ms: Math.round(lag.read()) }));
  http.get('/readyz', { logLevel: 'silent' }, async (request, reply) => {
    try {
      await services.ready();
      return { status: 'ready', definitions: definitions.current.version };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return reply.code(503).send({ status: 'unavailable' });
    }
  });
}
