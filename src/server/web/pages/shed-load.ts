import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperationError } from '../../platform/base/errors.ts';
import { textOf } from '../../platform/base/texts.ts';
import { isOperationPath } from '../operations/register-operations.ts';
import type { Services } from '../operations/services.ts';
import { acceptedLanguage } from '../../platform/http/language.ts';
import type { Site } from '../../platform/http/site.ts';
import type { LoopLag } from '../../platform/load/loop-lag.ts';
import { healthPaths } from './health-routes.ts';
import { sendPlainPage } from './send-plain-page.ts';

/** Seconds after which somebody who was sent away may come back. */
const retryS = 5;

/** Wait for a connection to the database, in milliseconds, above which new requests that need one are refused: a request waits up to three times. */
const longestWaitMs = 500;
/** Routes of pages and files, which are answered without the database. */
const withoutDatabase = /^\/(\*|assets\/|definitions\/)/;

/**
 * Refuses new requests with a 503 while the event loop lags by more than `limitMs` (0: never), and those that need the database while others wait long
 * for it. What was admitted before is finished.
 */
export function shedLoad(
  http: FastifyInstance,
  {
    site,
    lag,
    limitMs,
    services,
  }: {
    readonly site: Site;
    readonly lag: Pick<LoopLag, 'read'>;
    readonly limitMs: number;
    readonly services: Pick<Services, 'databaseWaitMs'>;
  },
): void {
  if (limitMs === 0) return;
  http.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    if (healthPaths.has(route)) return;
    const isLate = lag.read() > limitMs || (!withoutDatabase.test(route) && services.databaseWaitMs() > longestWaitMs);
    return isLate ? refuse(request, reply, site) : undefined;
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply, site: Site): FastifyReply {
  const busy = new OperationError(503, 'servidor_ocupado', { retryAfter: retryS });
  if (isOperationPath(request.url) || !(request.headers.accept ?? '').includes('text/html')) throw busy;
  const language = acceptedLanguage(request.headers['accept-language']);
  return sendPlainPage(reply.code(503).header('retry-after', String(retryS)), site, {
    language,
    title: textOf('servidor_ocupado_titulo', language),
    text: textOf('servidor_ocupado', language),
    links: [{ href: '/', text: textOf('volver_al_inicio', language) }],
  });
}
