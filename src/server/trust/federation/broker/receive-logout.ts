import type { Origin } from '../../../platform/base/origin.ts';
import { sessionOfCookie } from '../../sessions/sessions.ts';
import { believe, type Arrival } from '../saml/arrival.ts';
import { answerLogout, continueChain, takeAnswer, type LogoutEnd } from '../saml/logout-chain.ts';
import { readLogoutRequest } from '../saml/logout-messages.ts';
import { statuses } from '../saml/names.ts';
import { sessionsKnownAs } from '../saml/participants.ts';
import { noteLogout } from '../saml/requests.ts';
import type { ServiceProvider } from '../saml/service-providers.ts';
import type { SsoStep } from '../saml/sso.ts';
import { logOut, type LogOutNeeds } from './log-out.ts';

export interface LogoutArrival {
  readonly arrival: Arrival;
  readonly secret: string | undefined;
  readonly browser: string;
  readonly origin: Origin;
}

/** Handles a LogoutRequest of a service provider, or its LogoutResponse to ours. Throws a `SamlError` if the message is not authentic. */
export async function receiveLogout(needs: LogOutNeeds, message: LogoutArrival): Promise<SsoStep> {
  const { arrival, browser } = message;
  const isAnswer =
    arrival.binding === 'redirect'
      ? /(^|&)SAMLResponse=/.test(arrival.query)
      : arrival.fields['SAMLResponse'] !== undefined;
  const { providers } = needs.saml;
  const believed = await believe(arrival, isAnswer ? 'SAMLResponse' : 'SAMLRequest', { ...needs, providers });
  if (!isAnswer) return endAsAsked(needs, message, believed);
  const chain = { ...needs, ...needs.saml };
  const processState = await takeAnswer(chain, { ...believed, destination: arrival.destination, browser });
  return (await continueChain(chain, processState, browser)) ?? { kind: 'go', path: '/' };
}

/**
 * Ends the session that a LogoutRequest identifies. With a session cookie, that is its session, if the NameID and the session indexes match. Without
 * one (a cross-site POST may not send it), it is the only session that matches. Otherwise, and for a replayed request, the answer is
 * `UnknownPrincipal`.
 */
async function endAsAsked(
  needs: LogOutNeeds,
  { arrival, secret, browser, origin }: LogoutArrival,
  { provider, message, relayState }: { provider: ServiceProvider; message: Element; relayState: string | null },
): Promise<SsoStep> {
  const { clock, store } = needs;
  const { id, name, indexes } = readLogoutRequest(message, { destination: arrival.destination, clock });
  const own = provider.registration.id;
  const end: LogoutEnd & { kind: 'answer' } = { kind: 'answer', provider: own, inResponseTo: id, relayState };
  const chain = { ...needs, ...needs.saml };
  const isFirst = await noteLogout(needs, provider, id, browser);
  const meant = isFirst ? await sessionsKnownAs(store, { provider: own, name, indexes }) : [];
  const here = secret === undefined ? null : await sessionOfCookie(store.db, secret, clock.now());
  const session = here === null ? (meant.length === 1 ? meant[0] : undefined) : meant.find((one) => one === here.id);
  if (session === undefined) return answerLogout(chain, end, statuses.unknownPrincipal);
  const { through } = await logOut(needs, { which: { id: session }, origin, end, browser, but: own });
  return through === null ? answerLogout(chain, end, statuses.success) : { kind: 'go', path: through.path };
}
