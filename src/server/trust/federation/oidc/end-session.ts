import type { Origin } from '../../../platform/base/origin.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { Commands } from '../../notices/commands.ts';
import { revokeSession, revokeSessionById } from '../../sessions/sessions.ts';
import { takeParticipants, type Participant } from '../saml/participants.ts';
import type { Oidc } from './open-oidc.ts';
import {
  clientsOf,
  frontchannelUrl,
  takeApplications,
  type SessionApplications,
  type SessionClient,
} from './session-clients.ts';

/** What ends a session. */
export interface EndSessionNeeds {
  readonly commands: Commands;
  readonly oidc: Oidc;
  readonly vault: Vault;
}

/** What is left to do, and what could not be done, once a session ended. */
export interface LoggedOut {
  /** Addresses that tell applications in hidden frames. */
  readonly frames: readonly string[];
  /** Names of the applications that did not hear of it. */
  readonly unreachable: readonly string[];
  /** Service providers of SAML, which hear of it through the citizen's browser alone. */
  readonly participants: readonly Participant[];
}

/** Longest wait for all applications together, in milliseconds. */
const backchannelLimitMs = 2000;

/** The session that is to be ended: that of a cookie, or of an id. */
export type SessionToEnd = { readonly secret: string | undefined } | { readonly id: string };

/**
 * Ends a broker session first, which ends every token that hangs on it; then tells its applications. Without a live session nothing
 * happens.
 */
export async function endSession(
  { commands, oidc, vault }: EndSessionNeeds,
  which: SessionToEnd,
  origin: Origin,
): Promise<LoggedOut> {
  if ('secret' in which && which.secret === undefined) return { frames: [], unreachable: [], participants: [] };
  const { sessions, participants } = await commands.run(origin, async ({ tx, now, knownAs }) => {
    const ended =
      'id' in which ? await revokeSessionById(tx, which.id, now) : await revokeSession(tx, which.secret ?? '', now);
    if (ended === null) return { sessions: [], participants: [] };
    const { citizenId } = ended;
    await knownAs(citizenId).audit('logout', citizenId);
    return {
      sessions: await takeApplications(tx, vault, [ended.oidcUid]),
      participants: await takeParticipants(tx, [ended.id]),
    };
  });
  const clients = await clientsOf(oidc.provider, sessions);
  return {
    frames: clients.map((client) => frontchannelUrl(client, oidc.provider.issuer)).filter((url) => url !== null),
    unreachable: await notifyClients(clients),
    participants,
  };
}

/**
 * Tells the applications of sessions that ended, by the back channel; answers the names of those that did not hear. It belongs
 * behind the answer of the call that ended them.
 */
export async function tellApplications(
  { oidc }: { oidc: Oidc },
  sessions: readonly SessionApplications[],
): Promise<readonly string[]> {
  return notifyClients(await clientsOf(oidc.provider, sessions));
}

/** In parallel, and with a bounded wait. */
async function notifyClients(clients: readonly SessionClient[]): Promise<readonly string[]> {
  const told = clients.filter(({ client }) => client.backchannelLogoutUri !== undefined);
  const limit = new Promise<false>((resolve) => {
    setTimeout(resolve, backchannelLimitMs, false).unref();
  });
  const reached = await Promise.all(
    told.map(({ client, sid, accountId }) =>
      Promise.race([
        client.backchannelLogout(accountId, sid).then(
          () => true,
          () => false,
        ),
        limit,
      ]),
    ),
  );
  return told.filter((_, index) => reached[index] !== true).map(({ client }) => client.clientName ?? client.clientId);
}
