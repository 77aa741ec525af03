import type { FastifyInstance } from 'fastify';
import { OperationError } from '../../platform/base/errors.ts';
import { logoFolder } from '../../trust/federation/clients/logos.ts';
import type { Services } from '../operations/services.ts';

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
