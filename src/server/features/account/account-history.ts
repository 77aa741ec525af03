import type { Tx } from '../../platform/database/open-store.ts';
import { maskIpAddress } from '../../platform/base/ip-addresses.ts';
import { formatDocumentId } from '../../platform/base/identity-document.ts';
import type { AttemptLimit } from '../../platform/modules/attempt-limits.ts';
import { listAttemptCounters } from '../../trust/abuse/attempt-throttle.ts';
import { buildDocumentThrottleKey } from '../../trust/sessions/known-devices.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { getSessionEndReason } from '../../trust/sessions/broker-sessions.ts';

/** Maximum number of lines per kind of entry. */
const maxLines = 20;
const shownDetails = ['challenge', 'reason', 'idp', 'mail', 'amr'];

/** Parts of a line of text. Empty parts are omitted. */
type Line = readonly (string | null | false)[];

export async function describeAccountHistory(tx: Tx, citizen: Citizen, limits: readonly AttemptLimit[], now: Date) {
  const lines: readonly Line[] = [
    ...(await describeEvents(tx, citizen.id)),
    ...(await describeThrottles(tx, citizen, limits, now)),
    ...(await describeMails(tx, citizen.id)),
    ...(await describeLinks(tx, citizen.id, now)),
    ...(await describeSessions(tx, citizen.id, now)),
  ];
  return lines.map((parts) => `  ${parts.filter(Boolean).join('  ')}`);
}

async function describeEvents(tx: Tx, citizenId: string): Promise<readonly Line[]> {
  const rows = await tx
    .selectFrom('audit')
    .select(['at', 'action', 'details', 'address'])
    .where('citizen_id', '=', citizenId)
    .where('action', '!=', 'account-shown')
    .orderBy('seq', 'desc')
    .limit(maxLines)
    .execute();
  return rows.map((row) => {
    const details: Readonly<Record<string, unknown>> = JSON.parse(row.details) ?? {};
    const facts = shownDetails.flatMap((name) =>
      details[name] === undefined ? [] : [`${name}=${String(details[name])}`],
    );
    return ['event', row.at.toISOString(), row.action, facts.join(' '), maskIpAddress(row.address)];
  });
}

async function describeThrottles(tx: Tx, citizen: Citizen, limits: readonly AttemptLimit[], now: Date) {
  const devices = await tx.selectFrom('known_devices').select('hash').where('citizen_id', '=', citizen.id).execute();
  const id = formatDocumentId(citizen);
  const found = await listAttemptCounters(tx, limits, [
    { kind: 'document', name: 'document', value: id },
    ...devices.map(({ hash }) => ({
      kind: 'document',
      name: 'document in a known browser',
      value: buildDocumentThrottleKey(id, hash),
    })),
    ...(citizen.email === null ? [] : [{ kind: 'email', name: 'email', value: citizen.email }]),
  ]);
  return found.map(({ about, tries, blockedUntil }) => [
    `throttle ${about}`,
    `${tries} tries`,
    blockedUntil > now && `until ${blockedUntil.toISOString()}`,
  ]);
}

async function describeMails(tx: Tx, citizenId: string): Promise<readonly Line[]> {
  const rows = await tx
    .selectFrom('outbox')
    .select(['id', 'created_at', 'subject', 'sent_at', 'refused_at', 'refusal', 'attempts'])
    .where('citizen_id', '=', citizenId)
    .orderBy('id', 'desc')
    .limit(maxLines)
    .execute();
  return rows.map((row) => {
    const sent = row.sent_at === null ? `waits after ${row.attempts} attempts` : `sent ${row.sent_at.toISOString()}`;
    const state = row.refused_at === null ? sent : `refused ${row.refused_at.toISOString()}`;
    return [`mail ${row.id}`, row.created_at.toISOString(), state, row.subject, row.refusal];
  });
}

async function describeLinks(tx: Tx, citizenId: string, now: Date): Promise<readonly Line[]> {
  const rows = await tx
    .selectFrom('link_tokens')
    .select(['purpose', 'created_at', 'expires_at', 'used_at'])
    .where('citizen_id', '=', citizenId)
    .orderBy('created_at', 'desc')
    .limit(maxLines)
    .execute();
  return rows.map(({ purpose, created_at: at, expires_at: expires, used_at: used }) => {
    const state =
      used !== null ? `used ${used.toISOString()}` : `${expires <= now ? 'expired' : 'until'} ${expires.toISOString()}`;
    return [`link ${purpose}`, at.toISOString(), state];
  });
}

async function describeSessions(tx: Tx, citizenId: string, now: Date): Promise<readonly Line[]> {
  const rows = await tx
    .selectFrom('broker_sessions')
    .select(['created_at', 'revoked_at', 'expires_at', 'idle_at', 'role', 'amr', 'address'])
    .where('citizen_id', '=', citizenId)
    .orderBy('created_at', 'desc')
    .limit(maxLines)
    .execute();
  return rows.map((session) => {
    const end = getSessionEndReason(session, now);
    const since = { revoked: session.revoked_at, expired: session.expires_at, idle: session.idle_at };
    const state = end === undefined ? 'live' : `${end} since ${since[end]?.toISOString() ?? ''}`;
    const { created_at: at, role, amr, address } = session;
    return ['session', at.toISOString(), state, role, amr, maskIpAddress(address)];
  });
}
