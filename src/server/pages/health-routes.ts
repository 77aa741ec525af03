import type { FastifyInstance } from 'fastify';
import type { Services } from '../calls/services.ts';

/** `/healthz`: the process answers. `/readyz`: so does its database (503 while it cannot). */
export function registerHealth(http: FastifyInstance, services: Services): void {
  http.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  http.get('/readyz', { logLevel: 'silent' }, async (request, reply) => {
    try {
      await services.ready();
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return reply.code(503).send({ status: 'unavailable' });
    }
  });
}
