import type { FastifyInstance } from 'fastify';
import { buildHref } from '../../../contract/build-href.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import type { Config } from '../../platform/config/config.ts';
import { createNotFoundError } from '../operations/operation-route.ts';

/** Serves `security.txt` (RFC 9116) while it is configured and valid, and `change-password` (W3C), which password managers open. */
export function registerWellKnownRoutes(http: FastifyInstance, config: Config, now: () => Date): void {
  const { uris, expires } = config.securityContact;
  const path = '/.well-known/security.txt';
  http.get(path, async (_request, reply) => {
    if (uris.length === 0 || now() >= new Date(expires)) throw createNotFoundError();
    const lines = [
      ...uris.map((uri) => `Contact: ${uri}`),
      `Expires: ${expires}T00:00:00Z`,
      'Preferred-Languages: es, pt, en',
      `Canonical: ${buildHref(path, {}, config.baseUrl)}`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
  http.get('/.well-known/change-password', async (_request, reply) => {
    if (!config.flags.contrasena) throw createNotFoundError();
    return reply.redirect(buildHref(pagePaths.changePassword, {}, config.baseUrl), 303);
  });
}
