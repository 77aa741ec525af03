import { deflate } from '../saml/names.ts';
import { buildLogoutFrame, type ChainDependencies } from '../saml/logout-chain.ts';
import { writeLogoutRequest } from '../saml/logout-messages.ts';
import type { Participant } from '../saml/participants.ts';
import { signQuery } from '../saml/signature.ts';

export interface FramedLogout {
  /** URLs that carry a LogoutRequest, to be loaded in hidden frames. */
  readonly frames: readonly string[];
  /** Ids of the service providers in `frames`. Whether they received the request is never known. */
  readonly framed: readonly string[];
  /** Service providers that accept a LogoutRequest only by POST, which a frame's URL cannot carry. */
  readonly others: readonly Participant[];
}

/**
 * Single logout of section 2.3 of the specification, without the flag 'SLO SAML refactor': LogoutRequests in hidden frames. Browsers send few cookies
 * to frames of other sites, so this reaches only service providers that find the session by its SessionIndex.
 */
export async function frameLogouts(
  dependencies: ChainDependencies,
  participants: readonly Participant[],
): Promise<FramedLogout> {
  const addressed = await Promise.all(
    participants.map(async (participant) => ({
      participant,
      address: await buildLogoutUrl(dependencies, participant),
    })),
  );
  return {
    frames: addressed.flatMap(({ address }) => address ?? []),
    framed: addressed.flatMap(({ participant, address }) => (address === null ? [] : participant.provider)),
    others: addressed.flatMap(({ participant, address }) => (address === null ? participant : [])),
  };
}

async function buildLogoutUrl(dependencies: ChainDependencies, participant: Participant): Promise<string | null> {
  const provider = await dependencies.providers.byId(participant.provider);
  const service = provider?.metadata.logout ?? null;
  if (provider === null || service?.binding !== 'redirect') return null;
  const { xml } = writeLogoutRequest(buildLogoutFrame(dependencies, provider, service.location), participant);
  const query = signQuery(
    { name: 'SAMLRequest', message: deflate(xml), relayState: null },
    dependencies.credentials()[0],
  );
  return `${service.location}${service.location.includes('?') ? '&' : '?'}${query}`;
}
