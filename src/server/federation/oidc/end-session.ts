import { appendAudit } from '../../audit/append-audit.ts';
import type { Clock } from '../../base/clock.ts';
import { asCitizen, type Origin } from '../../base/origin.ts';
import type { Store } from '../../database/open-store.ts';
import type { Vault } from '../../keys/vault.ts';
import { revokeSession } from '../../sessions/sessions.ts';
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
  readonly clock: Clock;
  readonly oidc: Oidc;
  readonly store: Store;
  readonly vault: Vault;
}

/** What is left to do, and what could not be done, once a session ended. */
export interface LoggedOut {
  /** Addresses that tell applications in hidden frames. */
  readonly frames: readonly string[];
  /** Names of the applications that did not hear of it. */
  readonly unreachable: readonly string[];
}

/** Longest wait for all applications together, in milliseconds. */
const backchannelLimitMs = 2000;

/**
 * Ends the broker session of a cookie first, which ends every token that hangs on it; then tells its applications. Without a live
 * session nothing happens.
 */
export async function endSession(
  { store, clock, oidc, vault }: EndSessionNeeds,
  secret: string | undefined,
  origin: Origin,
): Promise<LoggedOut> {
  if (secret === undefined) return { frames: [], unreachable: [] };
  const sessions = await store.transaction(async (tx) => {
    const ended = await revokeSession(tx, secret, clock.now());
    if (ended === null) return [];
    const { citizenId } = ended;
    await appendAudit(tx, asCitizen(origin, citizenId), { at: clock.now(), action: 'logout', citizenId });
    return takeApplications(tx, vault, [ended.oidcUid]);
  });
  const clients = await clientsOf(oidc.provider, sessions);
  return {
    frames: clients.map((client) => frontchannelUrl(client, oidc.provider.issuer)).filter((url) => url !== null),
    unreachable: await tell(clients),
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
  return tell(await clientsOf(oidc.provider, sessions));
}

/** In parallel, and with a bounded wait. */
async function tell(clients: readonly SessionClient[]): Promise<readonly string[]> {
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
