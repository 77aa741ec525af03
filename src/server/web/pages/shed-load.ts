import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { textOf } from '../../platform/base/texts.ts';
import { isOperationPath } from '../operations/register-operations.ts';
import type { Services } from '../operations/services.ts';
import { unparsedCookie } from '../../platform/http/cookies.ts';
import { acceptedLanguage } from '../../platform/http/language.ts';
import type { Site } from '../../platform/http/site.ts';
import type { LoopLag } from '../../platform/load/loop-lag.ts';
import { healthPaths } from './health-routes.ts';
import { sendPlainPage } from './send-plain-page.ts';

/** Seconds after which somebody who was sent away may come back. */
const retryS = 5;

/** Wait for a connection to the database or for a password hash, in milliseconds, above which new requests that need one are refused: a request waits up to three times for a connection. */
const longestWaitMs = 500;
/** Routes of files that a page loads and that never change: without one of them a page that has arrived serves nobody. */
const filesOfPages = /^\/(assets\/|definitions\/\*$)/;
/** Routes of pages and files, which are answered without the database. */
const withoutDatabase = /^\/(\*|assets\/|definitions\/)/;

/** How many times as far behind the server may be for the further steps of a sign-in: where one of them is refused, the steps before were for nothing. */
const patience = 2;

/**
 * Refuses new requests, but not those for files of a page, with a 503 while the event loop lags by more than `limitMs` (0: never), those that need the database while others wait long
 * for it, and new sign-ins while passwords wait long. What was admitted before is finished; the further steps of a sign-in come before new requests.
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
    readonly services: Pick<Services, 'databaseWaitMs' | 'passwordWaitMs'>;
  },
): void {
  if (limitMs === 0) return;
  http.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    if (healthPaths.has(route) || filesOfPages.test(route)) return;
    const isSignIn = request.method === signIn.method && route === signIn.path;
    const goesOn = isSignIn && unparsedCookie(request.headers, 'challenge', site.secureCookies) !== undefined;
    const times = goesOn ? patience : 1;
    const isLate =
      lag.read() > limitMs * times ||
      (!withoutDatabase.test(route) && services.databaseWaitMs() > longestWaitMs * times) ||
      (isSignIn && !goesOn && services.passwordWaitMs() > longestWaitMs);
    return isLate ? refuse(request, reply, site) : undefined;
  });
}

const signIn = contract.answerChallenge;

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
