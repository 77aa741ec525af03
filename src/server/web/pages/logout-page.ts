import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { brokerPages } from '../../../contract/contract.ts';
import { href } from '../../../contract/href.ts';
import { listAllowedOrigins, sanitizeRedirect } from '../../../contract/redirect.ts';
import { pages, redirectOnlyPages } from '../../../contract/pages.ts';
import type { LogoutEndpoints } from '../../trust/federation/broker/rp-initiated-logout.ts';
import { readCookies } from '../../platform/http/cookies.ts';
import { readQuery } from '../../platform/http/form-parser.ts';
import type { Site } from '../../platform/http/site.ts';
import { sendTextPage } from './plain-pages.ts';

/**
 * Serves GET at the path of the logout operation, for links from other applications. Redirects to the portal's logout page if the portal or the
 * citizen started the navigation. If another site started it, asks the citizen first. Does not end the session itself.
 */
export function registerLogoutPage(http: FastifyInstance, site: Site, broker: LogoutEndpoints): void {
  http.get(brokerPages.logout, async (request, reply) => {
    const { redirect_uri: wanted, state } = readQuery(request);
    const registered = wanted === undefined ? null : await broker.logoutTarget(wanted, state);
    const target = href(
      pages.logout,
      registered === null
        ? {
            redirect_uri:
              wanted === undefined ? undefined : sanitizeRedirect(wanted, listAllowedOrigins(site.origin, site.portal)),
            state,
          }
        : { redirect_uri: registered },
    );
    const fetchSite = request.headers['sec-fetch-site'];
    const ownNavigation = fetchSite === 'same-origin' || fetchSite === 'none';
    if (ownNavigation && readCookies(request, site.secureCookies).session !== undefined)
      return reply.redirect(target, 302);
    return sendLogoutQuestion(request, reply, site, target);
  });
}

/** Redirects the broker's paths of section 7.2 of the specification to the portal's pages. */
export function registerLogoutRedirects(http: FastifyInstance, broker: LogoutEndpoints): void {
  const buildRedirect = (path: string, request: FastifyRequest, added: Readonly<Record<string, string>> = {}): string =>
    href(path, { ...readQuery(request), ...added });
  http.get(brokerPages.login, (request, reply) => reply.redirect(buildRedirect(pages.login, request), 302));
  http.get(brokerPages.cardLogin, (request, reply) =>
    reply.redirect(buildRedirect(pages.login, request, { ae: 'ci' }), 302),
  );
  http.get(brokerPages.consent, (request, reply) =>
    reply.redirect(buildRedirect(redirectOnlyPages.consent, request), 302),
  );
  http.get(brokerPages.cancelLogin, async (request, reply) => {
    const processState = readQuery(request)['process_state'];
    const next = processState === undefined ? null : await broker.cancelSignIn(processState);
    return reply.redirect(next ?? '/', 302);
  });
}

/** Asks the citizen whether to sign out, because another site may have caused the request. `target` is the URL that signs out. */
export function sendLogoutQuestion(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  target: string,
): FastifyReply {
  return sendTextPage(request, reply, site, {
    title: 'salir_pregunta',
    text: 'salir_explicacion',
    links: [
      [target, 'salir_confirmar'],
      ['/', 'volver_al_inicio'],
    ],
  });
}
