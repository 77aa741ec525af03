import type { FastifyInstance } from 'fastify';
import { contract } from '../../api/contract.ts';
import { href } from '../../api/href.ts';
import { safeRedirect } from '../../api/redirect.ts';
import { isObject } from '../../engine/core/json.ts';
import { readCookies } from './cookies.ts';
import { acceptedLanguage } from './language.ts';
import { sendPlainPage } from './page-routes.ts';
import type { Site } from './site.ts';
import { textOf } from '../texts.ts';

/** Address of the portal's logout (section 2.1 of the specification), which makes the call that ends the session. */
const logoutProcess = '/logout-process';

/**
 * GET at the logout call's address, for links of other applications. It changes nothing itself: a navigation from
 * our own site goes on to the portal's logout, one from elsewhere asks the citizen first.
 */
export function registerLogoutPage(http: FastifyInstance, site: Site): void {
  http.get(contract.logout.path, async (request, reply) => {
    const query = isObject(request.query) ? request.query : {};
    const state = typeof query['state'] === 'string' ? query['state'] : undefined;
    const wanted = query['redirect_uri'];
    const target = href(logoutProcess, {
      redirect_uri: wanted === undefined ? undefined : safeRedirect(wanted, [site.origin, ...site.portal.redirectOrigins]),
      state,
    });
    const fetchSite = request.headers['sec-fetch-site'];
    const ownNavigation = fetchSite === 'same-origin' || fetchSite === 'none';
    if (ownNavigation && readCookies(request, site.secureCookies).session !== undefined) return reply.redirect(target, 302);
    const language = acceptedLanguage(request.headers['accept-language']);
    return sendPlainPage(reply, site, {
      language,
      title: textOf('salir_pregunta', language),
      text: textOf('salir_explicacion', language),
      links: [
        { href: target, text: textOf('salir_confirmar', language) },
        { href: '/', text: textOf('volver_al_inicio', language) },
      ],
    });
  });
}
