import type { Origin } from '../../../platform/base/origin.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { Commands } from '../../notices/commands.ts';
import { revokeSession, revokeSessionById } from '../../sessions/revoke-sessions.ts';
import { takeParticipants, type Participant } from '../saml/participants.ts';
import type { Oidc } from './open-oidc.ts';
import { listClients, endedApplications, frontchannelUrl } from './session-clients.ts';
import type { TellEnds } from '../../sessions/session-ends.ts';

export interface EndSessionDependencies {
  readonly commands: Commands;
  readonly oidc: Oidc;
  readonly vault: Vault;
  readonly tellEnds: TellEnds;
}

export interface LoggedOut {
  /** Front-channel logout URLs, to be loaded in hidden frames. */
  readonly frames: readonly string[];
  /** Names of the applications that back-channel logout did not reach. */
  readonly unreachable: readonly string[];
  /** SAML service providers, which still have to be notified through the citizen's browser. */
  readonly participants: readonly Participant[];
}

export type SessionToEnd = { readonly secret: string | undefined } | { readonly id: string };

/** Ends a broker session, with every token that depends on it, and then notifies its applications. Does nothing without a live session. */
export async function endSession(
  { commands, oidc, vault, tellEnds }: EndSessionDependencies,
  which: SessionToEnd,
  origin: Origin,
): Promise<LoggedOut> {
  if ('secret' in which && which.secret === undefined) return { frames: [], unreachable: [], participants: [] };
  const { id, sessions, participants } = await commands.run(origin, async ({ tx, now, knownAs }) => {
    const ended =
      'id' in which ? await revokeSessionById(tx, which.id, now) : await revokeSession(tx, which.secret ?? '', now);
    if (ended === null) return { id: null, sessions: [], participants: [] };
    const { citizenId } = ended;
    await knownAs(citizenId).audit('logout', citizenId);
    return {
      id: ended.id,
      sessions: await endedApplications(tx, vault, [ended]),
      participants: await takeParticipants(tx, [ended.id]),
    };
  });
  const clients = await listClients(oidc.provider, sessions);
  return {
    frames: clients.map((client) => frontchannelUrl(client, oidc.provider.issuer)).filter((url) => url !== null),
    unreachable: id === null ? [] : await tellEnds([id]),
    participants,
  };
}
