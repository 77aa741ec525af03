import type { FastifyInstance, FastifyReply } from 'fastify';
import { apiContract } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { isOperationPath } from '../operations/register-operations.ts';
import type { ServerServices } from '../operations/server-services.ts';
import { readRawCookie } from '../../platform/http/cookies.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';
import type { EventLoopLag } from '../../platform/load/event-loop-lag.ts';
import { healthPaths } from './health-routes.ts';
import { sendTextPage } from './plain-pages.ts';

const retryAfterS = 5;

/**
 * Longest acceptable wait for a database connection or a password hash, in milliseconds. While the wait is longer, new requests that need a
 * connection or a hash are rejected. A single request may wait for up to three of them in turn.
 */
const maxWaitMs = 500;
/** Immutable files are never rejected, because a page that has already loaded is useless without its files. */
const immutableFileRoutes = /^\/(assets\/|definitions\/\*$)/;
const databaseFreeRoutes = /^\/(\*|assets\/|definitions\/)/;

/** Factor for the limits of the later steps of a sign-in, because rejecting them would waste the work of the earlier steps. */
const laterStepFactor = 2;

/**
 * Rejects requests with a 503 during an overload: all requests while the event loop lags by more than `limitMs`, requests that need the database
 * while its connections are busy, and new sign-ins while password hashes queue. If `limitMs` is 0, rejects nothing.
 */
export function registerLoadShedding(
  http: FastifyInstance,
  parts: {
    readonly site: SiteSettings;
    readonly lag: Pick<EventLoopLag, 'readMs'>;
    readonly limitMs: number;
    readonly services: Pick<ServerServices, 'databaseWaitMs' | 'passwordWaitMs'>;
  },
): void {
  const { site, lag, limitMs, services } = parts;
  if (limitMs === 0) return;
  http.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    if (healthPaths.has(route) || immutableFileRoutes.test(route)) return;
    const isSignIn = request.method === signInOperation.method && route === signInOperation.path;
    const goesOn = isSignIn && readRawCookie(request.headers, 'challenge', site.secureCookies) !== undefined;
    const times = goesOn ? laterStepFactor : 1;
    const isLate =
      lag.readMs() > limitMs * times ||
      (!databaseFreeRoutes.test(route) && services.databaseWaitMs() > maxWaitMs * times) ||
      (isSignIn && !goesOn && services.passwordWaitMs() > maxWaitMs);
    return isLate ? sendUnavailable(reply, site) : undefined;
  });
}

const signInOperation = apiContract.answerChallenge;

function sendUnavailable(reply: FastifyReply, site: SiteSettings) {
  const { url, headers } = reply.request;
  const busy = new OperationError(503, 'servidor_ocupado', { retryAfter: retryAfterS });
  if (isOperationPath(url) || !(headers.accept ?? '').includes('text/html')) throw busy;
  return sendTextPage(reply.code(503).header('retry-after', String(retryAfterS)), site, {
    title: 'servidor_ocupado_titulo',
    text: 'servidor_ocupado',
  });
}
