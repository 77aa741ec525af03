import { readFile } from 'node:fs/promises';
import { constants } from 'node:crypto';
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { portError, StartError } from '../platform/base/start-error.ts';
import type { Config } from '../platform/config/config.ts';
import type { CardNeeds } from '../trust/federation/card/receive-card.ts';
import { routedUrl } from '../platform/http/address-bounds.ts';
import { dropUnanswerable, listenerTimes } from '../platform/http/connection-bounds.ts';
import { requestIds } from '../platform/http/logging.ts';
import { writeSecurityHeaders } from '../platform/http/security-headers.ts';
import { siteOf } from '../platform/http/site.ts';
import { answerCardErrors, registerCard, shownByTls } from '../web/pages/card-routes.ts';
import { texts } from './topics.ts';
import { refuseUnplainAddresses } from '../web/pages/plain-addresses.ts';

/**
 * The listener whose TLS asks for a certificate, which nothing else of the portal does: who shows none, or a bad one, gets a page that says so. Null: there is
 * none. It makes a new handshake for every request, so that the key of a card that was taken out answers for nobody.
 */
export async function openCardListener(
  config: Config,
  needs: CardNeeds,
  log: Logger,
): Promise<{ close: () => Promise<void> } | null> {
  const { card } = config;
  if (card === null || card.port === null) return null;
  const loggerInstance: FastifyBaseLogger = log;
  const http: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(null),
    rewriteUrl: routedUrl,
    requestTimeout: listenerTimes.requestTimeout,
    https: {
      ...listenerTimes,
      ...(await readTls(card.tls)),
      ca: await readFile(card.roots),
      requestCert: true,
      rejectUnauthorized: false, // verified by `readCard`, which can say why
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_TICKET,
    },
  } as object);
  const site = siteOf(config, texts);
  dropUnanswerable(http);
  http.addHook('onRequest', async (request, reply) => {
    writeSecurityHeaders(reply, true);
    reply.headers({ 'x-request-id': request.id, connection: 'close' });
  });
  refuseUnplainAddresses(http, site);
  answerCardErrors(http, site);
  registerCard(http, site, needs, shownByTls);
  try {
    await http.listen({ port: card.port, host: config.host });
  } catch (error) {
    throw portError(error, { port: card.port, host: config.host, setting: 'CARD_PORT' });
  }
  return http;
}

async function readTls(file: string): Promise<{ cert: Buffer; key: Buffer }> {
  try {
    const pem = await readFile(file);
    return { cert: pem, key: pem };
  } catch (cause) {
    throw new StartError(`The file of CARD_TLS (${file}) cannot be read.`, { cause });
  }
}
