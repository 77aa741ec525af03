import type { AuditEntry } from '../../store/audit.ts';
import { appendAudit } from '../../store/audit.ts';
import { hashSecret } from '../../keys/secrets.ts';
import type { Parts } from '../../parts.ts';
import { revokeSession } from '../sessions.ts';
import { frontchannelUrl, sessionClients, type SessionClient } from './session-clients.ts';

/** What is left to do, and what could not be done, once a session ended. */
export interface EndedSession {
  /** Addresses that tell applications in hidden frames. */
  readonly frames: readonly string[];
  /** Names of the applications that did not hear of it. */
  readonly unreachable: readonly string[];
}

/** Longest wait for all applications together, in milliseconds. */
const backchannelLimitMs = 2000;

/**
 * Ends the broker session of a cookie first, which ends every token that hangs on it; then tells its applications, in parallel
 * and with a bounded wait. Without a live session nothing happens.
 */
export async function endSession(
  { store, clock, oidc }: Pick<Parts, 'store' | 'clock' | 'oidc'>, secret: string | undefined,
  from: Pick<AuditEntry, 'address' | 'requestId'>,
): Promise<EndedSession> {
  if (secret === undefined) return { frames: [], unreachable: [] };
  const row = await store.db.selectFrom('broker_sessions').select('oidc_uid').where('hash', '=', hashSecret(secret)).executeTakeFirst();
  const uid = row?.oidc_uid ?? null;
  const { accountId, clients } = await sessionClients(oidc.provider, uid);
  const citizenId = await store.transaction(async (tx) => {
    const ended = await revokeSession(tx, secret, clock.now());
    if (ended === null) return null;
    if (uid !== null) await tx.deleteFrom('oidc_records').where('model', '=', 'Session').where('uid', '=', uid).execute();
    await appendAudit(tx, { ...from, at: clock.now(), action: 'logout', citizenId: ended });
    return ended;
  });
  if (citizenId === null) return { frames: [], unreachable: [] };
  return {
    frames: clients.map((client) => frontchannelUrl(client, oidc.provider.issuer)).filter((url) => url !== null),
    unreachable: await tell(clients, accountId),
  };
}

async function tell(clients: readonly SessionClient[], accountId: string): Promise<readonly string[]> {
  const told = clients.filter(({ client }) => client.backchannelLogoutUri !== undefined);
  const limit = new Promise<false>((resolve) => {
    setTimeout(resolve, backchannelLimitMs, false).unref();
  });
  const reached = await Promise.all(told.map(({ client, sid }) => Promise.race([
    client.backchannelLogout(accountId, sid).then(() => true, () => false), limit,
  ])));
  return told.filter((_, index) => reached[index] !== true).map(({ client }) => client.clientName ?? client.clientId);
}
