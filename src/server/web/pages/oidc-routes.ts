import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildHref } from '../../../contract/build-href.ts';
import { samlCookieLifeS } from '../../trust/federation/saml/saml-constants.ts';
import { oidcPaths } from '../../trust/federation/oidc/oidc-paths.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import type { BrokerLogoutEndpoints } from '../../trust/federation/broker/rp-initiated-logout.ts';
import type { OidcProvider } from '../../trust/federation/oidc/open-oidc.ts';
import { addRefusalLogFacts } from '../../platform/base/errors.ts';
import { getClientAddress, getChangeOrigin } from '../../platform/http/client-address.ts';
import { addFormParser, readQueryParameters } from '../../platform/http/form-parser.ts';
import { readPortalCookies, writeCookies } from '../../platform/http/cookies.ts';
import { findUrlLimitStatus, maxRequestTargetLength } from '../../platform/http/url-limits.ts';
import type { ReadClientCertificates } from './card-certificate-routes.ts';
import { sendLogoutConfirmationPage } from './logout-routes.ts';
import { sendTextPage } from './plain-pages.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';

interface MutualTls {
  /** Origin whose TLS requests a client certificate. */
  readonly origin: string;
  /** Returns the client's certificates. Throws if the request did not arrive at `origin`. */
  readonly readCertificates: ReadClientCertificates;
}

interface OidcOptions {
  readonly site: SiteSettings;
  readonly oidc: Pick<OidcProvider, 'handle'>;
  readonly mutualTls: MutualTls | null;
}

/** Registers the endpoints that applications call directly. Mutual TLS can protect them. */
export async function registerOidcApi(http: FastifyInstance, options: OidcOptions): Promise<void> {
  await registerForwarding(http, options, (serve) => {
    for (const url of [oidcPaths.token, oidcPaths.par, oidcPaths.revoke, oidcPaths.introspect])
      serve(url, ['POST', 'OPTIONS']);
    serve(oidcPaths.userinfo, ['GET', 'POST', 'OPTIONS']);
  });
}

async function registerForwarding(
  http: FastifyInstance,
  options: OidcOptions,
  register: (serve: (url: string, methods: string[], path?: string) => void) => void,
): Promise<void> {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null)); // oidc-provider parses the body itself
    register((url, method, path) => {
      scope.route({ url, method, handler: (_request, reply) => forwardToProvider(reply, options, path) });
    });
  });
}

/** Registers the endpoints of OpenID Connect. oidc-provider serves all of them except the logout endpoint, which the broker serves. */
export async function registerOidcRoutes(
  http: FastifyInstance,
  options: OidcOptions & { readonly broker: BrokerLogoutEndpoints },
): Promise<void> {
  const { site, broker } = options;
  await registerOidcApi(http, options);
  await registerForwarding(http, { ...options, mutualTls: null }, (serve) => {
    serve(oidcPaths.discovery, ['GET', 'OPTIONS']);
    serve(oidcPaths.discoveryBelow, ['GET', 'OPTIONS'], oidcPaths.discovery);
    serve(oidcPaths.jwks, ['GET', 'OPTIONS']);
    serve(oidcPaths.authorize, ['GET']);
    serve(`${oidcPaths.authorize}/:uid`, ['GET']);
  });
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(oidcPaths.authorize, {
      onRequest: async (request, reply) => {
        const isShort = Number(request.headers['content-length']) <= maxRequestTargetLength; // `false` without a Content-Length header, because the comparison is then with `NaN`
        return isShort ? undefined : refuseRequest(reply, site);
      },
      handler: (_request, reply) => redirectToGet(reply, site),
    });
  });
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    addFormParser(scope);
    scope.get(oidcPaths.logout, (request, reply) => endSession(reply, site, broker, readQueryParameters(request)));
    scope.post<{ Body: Readonly<Record<string, string>> }>(oidcPaths.logout, (request, reply) =>
      endSession(reply, site, broker, request.body ?? {}),
    );
  });
}

/**
 * Redirects a posted authorization request to GET. When another site posts a form, browsers send no SameSite=Lax cookies, so oidc-provider would add an
 * interaction cookie at each request without seeing the earlier ones.
 */
function redirectToGet(reply: FastifyReply, site: SiteSettings) {
  const { body } = reply.request;
  const form = typeof body === 'string' ? body : '';
  const target = `${oidcPaths.authorize}?${new URLSearchParams(form).toString()}`;
  return findUrlLimitStatus(target) === null ? reply.redirect(target, 303) : refuseRequest(reply, site);
}

function refuseRequest(reply: FastifyReply, site: SiteSettings) {
  const facts = { code: 'invalid_request', step: 'authorization', reason: 'the form is too long' };
  addRefusalLogFacts(reply.request.raw, facts);
  return sendTextPage(reply.code(413), site, { title: 'pedido_invalido', text: 'pedido_invalido_ayuda' });
}

async function forwardToProvider(reply: FastifyReply, { site, oidc, mutualTls }: OidcOptions, path?: string) {
  reply.hijack();
  const { request } = reply;
  const { raw } = request;
  const certificates = mutualTls ? findCertificates(request, mutualTls) : undefined;
  // Replaces the protocol and host of the request by the configured ones, because oidc-provider derives its URLs from them and compares DPoP proofs
  // with these URLs.
  const { protocol, host } = new URL(certificates === undefined ? site.origin : (mutualTls?.origin ?? site.origin));
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  raw.headers.host = host;
  delete raw.headers['x-forwarded-host'];
  raw.headers['x-forwarded-for'] = getClientAddress(request);
  if (path !== undefined) raw.url = path;
  Object.assign(raw, { originalUrl: raw.url, id: request.id }); // without this, oidc-provider would use the original request target, which may contain another host
  await oidc.handle(raw, reply.raw, certificates);
}

/** `undefined` if the request did not arrive at the origin for mutual TLS, or if its certificate is malformed. */
function findCertificates(request: FastifyRequest, { readCertificates }: MutualTls): readonly Buffer[] | undefined {
  try {
    return readCertificates(request);
  } catch {
    return undefined;
  }
}

async function endSession(
  reply: FastifyReply,
  site: SiteSettings,
  broker: BrokerLogoutEndpoints,
  query: Readonly<Record<string, string | undefined>>,
) {
  const { request } = reply;
  const { session: secret, saml: browser } = readPortalCookies(request, site.secureCookies);
  const origin = getChangeOrigin(request);
  const outcome = await broker.logout({ query, secret, browser, origin });
  const sendLogoutPage = (code: 'pedido_invalido' | 'sesion_cerrada', frames: readonly string[] = []) =>
    sendTextPage(reply, site, { title: code, text: `${code}_ayuda`, frames });
  if (outcome.kind === 'refused') {
    addRefusalLogFacts(request.raw, {
      code: 'invalid_request',
      step: 'end_session',
      reason: 'post_logout_redirect_uri is not registered, or client_id is not that of id_token_hint',
    });
    reply.code(400);
    return sendLogoutPage('pedido_invalido');
  }
  if (outcome.kind === 'ask') {
    const target = buildHref(pagePaths.logout, { redirect_uri: outcome.next });
    return sendLogoutConfirmationPage(reply, site, target);
  }
  const saml = outcome.browser === undefined ? {} : { saml: { value: outcome.browser, maxAge: samlCookieLifeS } };
  writeCookies(reply, { session: null, challenge: null, ...saml }, site.secureCookies);
  const { target, frames } = outcome;
  if (target !== null && frames.length === 0) return reply.redirect(target, 303);
  if (target !== null) reply.header('refresh', `1; url=${target}`); // the hidden logout frames load within a second
  return sendLogoutPage('sesion_cerrada', frames);
}
