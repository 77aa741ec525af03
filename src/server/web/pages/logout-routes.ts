import type { FastifyInstance, FastifyReply } from 'fastify';
import { identityBrokerPaths } from '../../../contract/contract.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { listRedirectOrigins, sanitizeRedirect } from '../../../contract/sanitize-redirect.ts';
import { pagePaths, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import type { BrokerLogoutEndpoints } from '../../trust/federation/broker/rp-initiated-logout.ts';
import { readPortalCookies } from '../../platform/http/cookies.ts';
import { readQueryParameters } from '../../platform/http/form-parser.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';
import { sendTextPage } from './plain-pages.ts';

/**
 * Serves the logout links of other applications. Redirects a signed-in browser to the portal's logout page if the portal or the citizen started the
 * navigation. Otherwise asks the citizen first. Does not end the session itself.
 */
export function registerLogoutPage(http: FastifyInstance, site: SiteSettings, broker: BrokerLogoutEndpoints): void {
  http.get(identityBrokerPaths.logout, async (request, reply) => {
    const { redirect_uri: wanted, state } = readQueryParameters(request);
    const registered = wanted === undefined ? null : await broker.logoutTarget(wanted, state);
    const sanitized = wanted && sanitizeRedirect(wanted, listRedirectOrigins(site.origin, site.portal));
    const query = registered === null ? { redirect_uri: sanitized, state } : { redirect_uri: registered };
    const target = buildHref(pagePaths.logout, query);
    const fetchSite = request.headers['sec-fetch-site'];
    const ownNavigation = fetchSite === 'same-origin' || fetchSite === 'none';
    if (ownNavigation && readPortalCookies(request, site.secureCookies).session !== undefined)
      return reply.redirect(target, 302);
    return sendLogoutConfirmationPage(reply, site, target);
  });
}

/** Redirects the broker's paths (specification, section 7.2) to the portal's pages. */
export function registerLogoutRedirects(http: FastifyInstance, broker: BrokerLogoutEndpoints): void {
  const redirect = (from: string, to: string, added: Readonly<Record<string, string>> = {}) =>
    http.get(from, (request, reply) =>
      reply.redirect(buildHref(to, { ...readQueryParameters(request), ...added }), 302),
    );
  redirect(identityBrokerPaths.login, pagePaths.login);
  redirect(identityBrokerPaths.cardLogin, pagePaths.login, { ae: 'ci' });
  redirect(identityBrokerPaths.consent, redirectOnlyPagePaths.consent);
  http.get(identityBrokerPaths.cancelLogin, async (request, reply) => {
    const processState = readQueryParameters(request)['process_state'];
    const next = processState === undefined ? null : await broker.cancelSignIn(processState);
    return reply.redirect(next ?? '/', 302);
  });
}

/** Sends a page that asks the citizen whether to sign out, because another site may have caused the request. `target` is the URL that signs out. */
export function sendLogoutConfirmationPage(reply: FastifyReply, site: SiteSettings, target: string) {
  return sendTextPage(reply, site, {
    title: 'salir_pregunta',
    text: 'salir_explicacion',
    links: [
      [target, 'salir_confirmar'],
      ['/', 'volver_al_inicio'],
    ],
  });
}
