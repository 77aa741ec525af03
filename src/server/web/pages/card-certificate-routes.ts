import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { identityBrokerPaths } from '../../../contract/contract.ts';
import { isIpInNetworks } from '../../platform/base/ip-addresses.ts';
import { maskDocumentNumbers } from '../../platform/base/identity-document.ts';
import { addRefusalLogFacts, findRefusalLogFacts, OperationError } from '../../platform/base/errors.ts';
import { getSharedText, type SharedTextCode } from '../../platform/base/texts.ts';
import {
  IdentityCardError,
  buildCardSignInUrl,
  acceptIdentityCardForTicket,
  type CardSignInDependencies,
} from '../../trust/federation/card/identity-card-sign-in.ts';
import { toErrorResponse } from '../../platform/http/error-response.ts';
import { selectAcceptedLanguage } from '../../platform/http/request-language.ts';
import { readQueryParameters } from '../../platform/http/form-parser.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';
import { isSameDigest, hashSecret } from '../../platform/keys/random-secrets.ts';
import { sendTextPage } from './plain-pages.ts';

/** Matches exactly one certificate. Node.js joins repeated headers into one value, so a client could add a second certificate. */
const singlePemPattern = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/;

/** Returns the client's certificate chain in DER, the client's own certificate first. */
export type ReadClientCertificates = (request: FastifyRequest) => readonly Buffer[];

/** Receives a card's certificate on the TLS listener that requests client certificates. */
export function registerCardRoutes(
  http: FastifyInstance,
  site: SiteSettings,
  dependencies: CardSignInDependencies,
  readCertificates: ReadClientCertificates,
): void {
  http.get(identityBrokerPaths.card, async (request, reply) => {
    try {
      const next = await acceptIdentityCardForTicket(
        dependencies,
        readQueryParameters(request)['ticket'],
        readCertificates(request),
      );
      return await reply.redirect(next, 303);
    } catch (error) {
      if (!(error instanceof IdentityCardError)) throw error;
      const { message, cause } = error;
      const reason = maskDocumentNumbers(cause instanceof Error ? `${message}: ${cause.message}` : message);
      addRefusalLogFacts(request.raw, { code: 'card-refused', reason });
      const status = error.problem === 'pedido_vencido' ? 410 : 403;
      return sendProblem(reply.code(status), site, `tarjeta_${error.problem}`);
    }
  });
}

/** Responds to unknown paths and errors with a page that links back to the portal and contains no details of the error. */
export function registerCardErrorPages(http: FastifyInstance, site: SiteSettings): void {
  http.setNotFoundHandler(() => {
    throw new OperationError(404, 'no_encontrado');
  });
  http.setErrorHandler((error, request, reply) => {
    const language = selectAcceptedLanguage(request.headers['accept-language']);
    const { status, body, retryAfter } = toErrorResponse(error, language, site.texts);
    if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
    else if (status >= 500) request.log.error({ err: error }, 'a card cannot be taken in');
    addRefusalLogFacts(request.raw, { ...findRefusalLogFacts(error), code: body.code });
    return sendProblem(reply.code(status), site, { written: body.error });
  });
}

export const readTlsClientCertificates: ReadClientCertificates = ({ socket }) => {
  if (!(socket instanceof TLSSocket)) return [];
  const found: Buffer[] = [];
  let next = socket.getPeerCertificate(true);
  while (
    next.raw instanceof Buffer &&
    found.length < 8 && // the chain of an identity card has three certificates
    !found.some((known) => known.equals(next.raw))
  ) {
    found.push(next.raw);
    next = next.issuerCertificate ?? {}; // ends at a root certificate, which is its own issuer, or with an incomplete chain, whose issuer is an empty object
  }
  return found;
};

/**
 * Reads the client certificate from a header that a trusted TLS proxy adds. Throws a 404 for requests without the proxy's secret, which the proxy adds
 * only on the origin where it verifies cards, because on its other origins a client could forge the certificate header.
 */
export function createProxyCertificateReader(proxies: readonly string[], secret: string): ReadClientCertificates {
  const expected = hashSecret(secret);
  return ({ socket, headers }) => {
    const sent = hashSecret(`${headers['x-card-secret'] ?? ''}`);
    if (!isIpInNetworks(socket.remoteAddress, proxies) || !isSameDigest(sent, expected))
      throw new OperationError(404, 'no_encontrado');
    const header = headers['x-client-cert'];
    if (typeof header !== 'string' || header === '') return [];
    try {
      const pem = decodeURIComponent(header).trim();
      if (!singlePemPattern.test(pem)) throw new Error('it holds not one certificate'); // the parser would use the first of two certificates, which the client may have added
      return [new X509Certificate(pem).raw];
    } catch (cause) {
      throw new IdentityCardError('desconocida', 'the header contains no certificate', { cause });
    }
  };
}

function sendProblem(reply: FastifyReply, site: SiteSettings, text: SharedTextCode | { readonly written: string }) {
  const { id, headers } = reply.request;
  const language = selectAcceptedLanguage(headers['accept-language']);
  return sendTextPage(reply, site, {
    title: 'tarjeta_no_sirve',
    text,
    facts: [[getSharedText('numero_del_pedido', language), id]],
    links: [[buildCardSignInUrl(site.origin), 'volver_a_intentar']],
  });
}
