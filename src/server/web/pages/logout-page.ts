import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { brokerPaths } from '../../../contract/contract.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { listRedirectOrigins, sanitizeRedirect } from '../../../contract/sanitize-redirect.ts';
import { pagePaths, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import type { BrokerLogoutEndpoints } from '../../trust/federation/broker/rp-initiated-logout.ts';
import { readPortalCookies } from '../../platform/http/cookies.ts';
import { readQueryParameters } from '../../platform/http/form-parser.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';
import { sendTextPage } from './plain-pages.ts';

/**
 * Serves GET at the path of the logout operation, for links from other applications. Redirects to the portal's logout page if the portal or the
 * citizen started the navigation. If another site started it, asks the citizen first. Does not end the session itself.
 */
export function registerLogoutPage(http: FastifyInstance, site: SiteSettings, broker: BrokerLogoutEndpoints): void {
  http.get(brokerPaths.logout, async (request, reply) => {
    const { redirect_uri: wanted, state } = readQueryParameters(request);
    const registered = wanted === undefined ? null : await broker.logoutTarget(wanted, state);
    const target = buildHref(
      pagePaths.logout,
      registered === null
        ? {
            redirect_uri:
              wanted === undefined
                ? undefined
                : sanitizeRedirect(wanted, listRedirectOrigins(site.origin, site.portal)),
            state,
          }
        : { redirect_uri: registered },
    );
    const fetchSite = request.headers['sec-fetch-site'];
    const ownNavigation = fetchSite === 'same-origin' || fetchSite === 'none';
    if (ownNavigation && readPortalCookies(request, site.secureCookies).session !== undefined)
      return reply.redirect(target, 302);
    return sendLogoutQuestion(request, reply, site, target);
  });
}

/** Redirects the broker's paths of section 7.2 of the specification to the portal's pages. */
export function registerLogoutRedirects(http: FastifyInstance, broker: BrokerLogoutEndpoints): void {
  const buildRedirect = (path: string, request: FastifyRequest, added: Readonly<Record<string, string>> = {}): string =>
    buildHref(path, { ...readQueryParameters(request), ...added });
  http.get(brokerPaths.login, (request, reply) => reply.redirect(buildRedirect(pagePaths.login, request), 302));
  http.get(brokerPaths.cardLogin, (request, reply) =>
    reply.redirect(buildRedirect(pagePaths.login, request, { ae: 'ci' }), 302),
  );
  http.get(brokerPaths.consent, (request, reply) =>
    reply.redirect(buildRedirect(redirectOnlyPagePaths.consent, request), 302),
  );
  http.get(brokerPaths.cancelLogin, async (request, reply) => {
    const processState = readQueryParameters(request)['process_state'];
    const next = processState === undefined ? null : await broker.cancelSignIn(processState);
    return reply.redirect(next ?? '/', 302);
  });
}

/** Asks the citizen whether to sign out, because another site may have caused the request. `target` is the URL that signs out. */
export function sendLogoutQuestion(
  request: FastifyRequest,
  reply: FastifyReply,
  site: SiteSettings,
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
