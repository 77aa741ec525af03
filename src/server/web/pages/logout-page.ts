import type { FastifyInstance } from 'fastify';
import { brokerPages } from '../../../contract/contract.ts';
import { href } from '../../../contract/href.ts';
import { allowedOrigins, safeRedirect } from '../../../contract/redirect.ts';
import { pages } from '../../../contract/pages.ts';
import type { BrokerPages } from '../../trust/federation/broker/broker-pages.ts';
import { readCookies } from '../../platform/http/cookies.ts';
import { sendLogoutQuestion } from './logout-question.ts';
import { queryOf } from '../../platform/http/query.ts';
import type { Site } from '../../platform/http/site.ts';

/**
 * Serves GET at the address of the logout operation, for links from other applications. It does not sign out itself. A navigation from our own site
 * is redirected to the portal's logout. One from another site asks the citizen first.
 */
export function registerLogoutPage(http: FastifyInstance, site: Site, broker: BrokerPages): void {
  http.get(brokerPages.logout, async (request, reply) => {
    const { redirect_uri: wanted, state } = queryOf(request);
    const registered = wanted === undefined ? null : await broker.logoutTarget(wanted, state);
    const target = href(
      pages.logout,
      registered === null
        ? {
            redirect_uri:
              wanted === undefined ? undefined : safeRedirect(wanted, allowedOrigins(site.origin, site.portal)),
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
