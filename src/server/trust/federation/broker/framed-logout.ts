import { deflate } from '../saml/bindings.ts';
import { frameOf, type ChainNeeds } from '../saml/logout-chain.ts';
import { writeLogoutRequest } from '../saml/logout-messages.ts';
import type { Participant } from '../saml/participants.ts';
import { signQuery } from '../saml/signature.ts';

/** Service providers of a logout, by the way in which each is told. */
export interface FramedLogout {
  /** Addresses that carry a LogoutRequest, for hidden frames. */
  readonly frames: readonly string[];
  /** Ids of the service providers that are told so; whether they heard is never known. */
  readonly framed: readonly string[];
  /** Those that take a LogoutRequest by POST alone, which no address of a frame carries. */
  readonly others: readonly Participant[];
}

/**
 * The logout of section 2.3 of the specification before its flag 'SLO SAML refactor': LogoutRequests in hidden frames. Browsers send few cookies into
 * frames of other sites, so that it reaches service providers that find the session by its index.
 */
export async function frameLogouts(needs: ChainNeeds, participants: readonly Participant[]): Promise<FramedLogout> {
  const addressed = await Promise.all(
    participants.map(async (participant) => ({ participant, address: await addressOf(needs, participant) })),
  );
  return {
    frames: addressed.flatMap(({ address }) => address ?? []),
    framed: addressed.flatMap(({ participant, address }) => (address === null ? [] : participant.provider)),
    others: addressed.flatMap(({ participant, address }) => (address === null ? participant : [])),
  };
}

async function addressOf(needs: ChainNeeds, participant: Participant): Promise<string | null> {
  const provider = await needs.providers.byId(participant.provider);
  const service = provider?.metadata.logout ?? null;
  if (provider === null || service?.binding !== 'redirect') return null;
  const { xml } = writeLogoutRequest(frameOf(needs, provider, service.location), participant);
  const query = signQuery({ name: 'SAMLRequest', message: deflate(xml), relayState: null }, needs.credentials()[0]);
  return `${service.location}${service.location.includes('?') ? '&' : '?'}${query}`;
}
