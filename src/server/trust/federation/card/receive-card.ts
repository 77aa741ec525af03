import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import type { Trust } from '../../certificates/trust.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { CardError, readCard } from './read-card.ts';
import { noteCard, takeTicket } from './tickets.ts';

export interface CardDependencies {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly cardTrust: Trust;
}

/** Page of the portal that offers to sign in with a card. */
export function cardPage(baseUrl: string): string {
  return new URL(href(pages.login, { ae: 'ci' }), baseUrl).href;
}

/**
 * Redeems the ticket of a browser, with the certificates of its TLS handshake. Returns the URL of the portal that continues the sign-in. Throws a
 * `CardError`. Does not sign anybody in: only the browser that has the cookie of the sign-in can complete it.
 */
export async function receiveCard(
  { config, clock, store, cardTrust }: CardDependencies,
  ticket: string | undefined,
  certificates: readonly Buffer[],
): Promise<string> {
  const now = clock.now();
  const late = () => new CardError('pedido_vencido', 'the ticket is unknown, late, or was taken before');
  const taken = ticket === undefined ? null : await takeTicket(store, ticket, now);
  if (taken === null) throw late();
  const waiting = await noteCard(store, taken, await readCard(certificates, cardTrust, now), now);
  if (waiting === null) throw late();
  const { token, process_state, redirect_url: redirectUrl, agent: agnt } = waiting;
  const path = href(pages.login, {
    ae: 'ci',
    tarjeta: token,
    process_state: process_state ?? undefined,
    redirectUrl: redirectUrl ?? undefined,
    agnt: agnt ?? undefined,
  });
  return new URL(path, config.baseUrl).href;
}
