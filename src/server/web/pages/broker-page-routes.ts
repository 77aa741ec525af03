import type { FastifyInstance, FastifyRequest } from 'fastify';
import { brokerPages } from '../../../contract/contract.ts';
import { href } from '../../../contract/href.ts';
import { pages, serverPages } from '../../../contract/pages.ts';
import type { BrokerPages } from '../../trust/federation/broker/broker-pages.ts';
import { queryOf } from '../../platform/http/query.ts';

/** Redirects the broker's addresses of section 7.2 to the portal's pages. */
export function registerBrokerPages(http: FastifyInstance, broker: BrokerPages): void {
  const passOn = (path: string, request: FastifyRequest, added: Readonly<Record<string, string>> = {}): string =>
    href(path, { ...queryOf(request), ...added });
  http.get(brokerPages.login, (request, reply) => reply.redirect(passOn(pages.login, request), 302));
  http.get(brokerPages.cardLogin, (request, reply) => reply.redirect(passOn(pages.login, request, { ae: 'ci' }), 302));
  http.get(brokerPages.consent, (request, reply) => reply.redirect(passOn(serverPages.consent, request), 302));
  http.get(brokerPages.cancelLogin, async (request, reply) => {
    const processState = queryOf(request)['process_state'];
    const next = processState === undefined ? null : await broker.cancelSignIn(processState);
    return reply.redirect(next ?? '/', 302);
  });
}
