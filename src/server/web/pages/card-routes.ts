import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { brokerPages } from '../../../contract/contract.ts';
import { isWithin, networkOf } from '../../platform/base/addresses.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { textOf } from '../../platform/base/texts.ts';
import { CardError, type CardProblem } from '../../trust/federation/card/read-card.ts';
import { cardPage, receiveCard, type CardNeeds } from '../../trust/federation/card/receive-card.ts';
import { errorAnswer } from '../../platform/http/error-answer.ts';
import { clientAddress } from '../../platform/http/client-address.ts';
import { acceptedLanguage } from '../../platform/http/language.ts';
import { queryOf } from '../../platform/http/query.ts';
import type { Site } from '../../platform/http/site.ts';
import { sameDigest } from '../../platform/keys/codes.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import { sendPlainPage } from './send-plain-page.ts';

/** Most certificates that are read of a handshake: a card's chain has three. */
const longestChain = 8;

/** One certificate in PEM, and nothing beside it: two headers of a name come as one. */
const onePem = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/;

/** Reads the certificates that a request came with, in DER, the card's own first. */
type ReadShown = (request: FastifyRequest) => readonly Buffer[];

/** The address that takes a card in, on the listener that asks for one. */
export function registerCard(http: FastifyInstance, site: Site, needs: CardNeeds, shown: ReadShown): void {
  http.get(brokerPages.card, async (request, reply) => {
    try {
      const next = await receiveCard(needs, queryOf(request)['ticket'], shown(request));
      return await reply.redirect(next, 303);
    } catch (error) {
      if (!(error instanceof CardError)) throw error;
      const network = networkOf(clientAddress(request));
      request.log.info({ code: 'card-refused', network, reason: error.message, err: error.cause }, 'a card is refused');
      return sendCardProblem(request, reply, site, error.problem);
    }
  });
}

/** What else the card's own listener is asked for, and what goes wrong there, gets a page that leads back; nothing of an error is told. */
export function answerCardErrors(http: FastifyInstance, site: Site): void {
  http.setNotFoundHandler(() => {
    throw new OperationError(404, 'no_encontrado');
  });
  http.setErrorHandler((error, request, reply) => {
    const { status, body } = errorAnswer(error, acceptedLanguage(request.headers['accept-language']), site.texts);
    if (status >= 500) request.log.error({ err: error }, 'a card cannot be taken in');
    return sendProblem(request, reply.code(status), site, body.error);
  });
}

/** What the TLS of this very listener was shown. */
export const shownByTls: ReadShown = ({ socket }) => {
  if (!(socket instanceof TLSSocket)) return [];
  const found: Buffer[] = [];
  let next = socket.getPeerCertificate(true);
  while (next.raw instanceof Buffer && found.length < longestChain && !found.some((known) => known.equals(next.raw))) {
    found.push(next.raw);
    next = next.issuerCertificate ?? {}; // a root names itself, and one that is not known nobody
  }
  return found;
};

/**
 * What a proxy in front says that its TLS was shown. To a request of anybody else the address does not exist; nor to one that the proxy passes on at another
 * origin, whose headers are whatever its sender wrote: the secret is sent with the card's alone.
 */
export function shownByProxy({ proxies, proxySecret }: { proxies: readonly string[]; proxySecret: string }): ReadShown {
  const expected = hashSecret(proxySecret);
  return ({ socket, headers }) => {
    const secret = headers['x-card-secret'];
    if (!isWithin(socket.remoteAddress, proxies) || !sameDigest(hashSecret(`${secret ?? ''}`), expected))
      throw new OperationError(404, 'no_encontrado');
    const header = headers['x-client-cert'];
    if (typeof header !== 'string' || header === '') return [];
    try {
      const pem = decodeURIComponent(header).trim();
      if (!onePem.test(pem)) throw new Error('it holds not one certificate'); // of two the reader would take the first, which may be the sender's own
      return [new X509Certificate(pem).raw];
    } catch (cause) {
      throw new CardError('desconocida', 'the header holds no certificate', { cause });
    }
  };
}

/** A page that says why a card does not sign in, and leads back. */
function sendCardProblem(request: FastifyRequest, reply: FastifyReply, site: Site, problem: CardProblem): FastifyReply {
  const language = acceptedLanguage(request.headers['accept-language']);
  reply.code(problem === 'pedido_vencido' ? 410 : 403);
  return sendProblem(request, reply, site, textOf(`tarjeta_${problem}`, language));
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, site: Site, text: string): FastifyReply {
  const language = acceptedLanguage(request.headers['accept-language']);
  return sendPlainPage(reply, site, {
    language,
    title: textOf('tarjeta_no_sirve', language),
    text,
    facts: [[textOf('numero_del_pedido', language), request.id]],
    links: [{ href: cardPage(site.origin), text: textOf('volver_a_intentar', language) }],
  });
}
