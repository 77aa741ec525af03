import type { FastifyInstance } from 'fastify';
import type { LiveDefinitions } from '../../../engine/compiler/definitions.ts';
import type { ServerServices } from '../operations/server-services.ts';
import { isPrivateIpAddress } from '../../platform/base/ip-addresses.ts';
import { getClientAddress } from '../../platform/http/client-address.ts';
import type { EventLoopLag } from '../../platform/load/event-loop-lag.ts';

/** Paths that are exempt from load shedding. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Registers `/healthz` and `/readyz`. `/readyz` returns a 503 if the database is unavailable. To clients in private networks it also returns the
 * version of the definitions.
 */
export function registerHealthRoutes(
  http: FastifyInstance,
  services: ServerServices,
  definitions: LiveDefinitions,
  lag: EventLoopLag,
): void {
  http.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok', lag_ms: Math.round(lag.readMs()) }));
  http.get('/readyz', { logLevel: 'silent' }, async (request, reply) => {
    try {
      await services.ready();
      return {
        status: 'ready',
        ...(isPrivateIpAddress(getClientAddress(request)) && { definitions: definitions.current.version }),
      };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return reply.code(503).send({ status: 'unavailable' });
    }
  });
}
