import { randomUUID } from 'node:crypto';
import { sql, type Insertable } from 'kysely';
import { isPhishingResistant } from '../identity/agent-mailboxes.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import type { ClientDevice } from '../../platform/base/client-device.ts';
import { hashSecret, generateSecret } from '../../platform/keys/random-secrets.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { createPreparedQuery } from '../../platform/database/prepared-query.ts';
import type { Database } from '../../platform/database/schema.ts';
import { queueLogoutNotifications } from './session-ends.ts';
import { buildLiveSessionCondition } from './broker-sessions.ts';

export interface NewSession {
  readonly citizenId: string;
  readonly amr: readonly string[];
  readonly nid: number;
  readonly role: 'citizen' | 'agent';
  readonly idp?: string;
  /** Time of the sign-in at the provider. `null` if unknown. */
  readonly authenticatedAt?: Date | null;
  readonly device: ClientDevice;
  readonly now: Date;
  readonly lifeS: number;
  readonly idleS: number;
  /** Maximum number of live sessions of the citizen, including this one. Older sessions end. Unlimited if absent. */
  readonly maxSessions?: number;
  /** Pending sign-in that the session completes, and that is then marked as used. The transaction has already checked that the sign-in is unused. */
  readonly challenge?: { readonly hash: string; readonly step: string };
  readonly browser?: string;
}

export async function startSession(
  tx: Tx,
  start: NewSession,
): Promise<{ id: string; secret: string; ended: readonly string[] }> {
  const { now, device, maxSessions } = start;
  const id = randomUUID();
  const secret = generateSecret();
  const [added] = await insertSession(tx, {
    id,
    hash: hashSecret(secret),
    citizen_id: start.citizenId,
    amr: start.amr.join(' '),
    nid: start.nid,
    role: start.role,
    phishing_resistant: isPhishingResistant(start.amr),
    idp: start.idp ?? null,
    authenticated_at: start.authenticatedAt ?? null,
    created_at: now,
    expires_at: addSeconds(now, start.lifeS),
    seen_at: now,
    idle_at: addSeconds(now, start.idleS),
    user_agent: device.userAgent,
    address: device.address,
    challenge: start.challenge?.hash ?? null,
    step: start.challenge?.step ?? null,
    browser: start.browser ?? null,
    spared: maxSessions === undefined ? null : maxSessions - 1,
  });
  const ended = added?.surplus ?? [];
  await queueLogoutNotifications(tx, ended, now);
  return { id, secret, ended };
}

type SessionStart = Omit<Insertable<Database['broker_sessions']>, 'oidc_uid' | 'revoked_at' | 'verified_at'> & {
  readonly challenge: string | null;
  readonly step: string | null;
  readonly browser: string | null;
  readonly spared: number | null;
};

/** Query that inserts the session and ends surplus sessions in a single statement, because the citizen waits for each round trip. */
const insertSession = createPreparedQuery<SessionStart, { readonly surplus: readonly string[] }>((db, value) =>
  db
    .with('used', (query) =>
      query
        .updateTable('challenges')
        .set({ used_at: value('created_at') })
        .where('hash', '=', value('challenge'))
        .where('step', '=', value('step'))
        .where('used_at', 'is', null),
    )
    .with('seen', (query) =>
      query
        .insertInto('known_devices')
        .columns(['citizen_id', 'hash', 'seen_at'])
        .expression(
          sql`select ${value('citizen_id')}::text, ${value('browser')}::text, ${value('created_at')}::timestamptz where ${value('browser')}::text is not null`,
        )
        .onConflict((known) => known.columns(['citizen_id', 'hash']).doUpdateSet({ seen_at: value('created_at') })),
    )
    .with('surplus', (query) =>
      query
        .updateTable('broker_sessions')
        .set({ revoked_at: value('created_at') })
        .where('id', 'in', (own) =>
          own
            .selectFrom('broker_sessions')
            .select('broker_sessions.id')
            .where('broker_sessions.citizen_id', '=', value('citizen_id'))
            .where(sql<boolean>`${value('spared')}::int is not null`)
            .where(buildLiveSessionCondition(sql<Date>`${value('created_at')}::timestamptz`))
            .orderBy('broker_sessions.created_at', 'desc')
            .orderBy('broker_sessions.id')
            .offset(sql<number>`${value('spared')}::int`),
        )
        .returning('id'),
    )
    .with('signed_in', (query) =>
      query
        .updateTable('citizens')
        .set({ last_login_at: value('created_at') })
        .where('id', '=', value('citizen_id')),
    )
    .insertInto('broker_sessions')
    .values({
      id: value('id'),
      hash: value('hash'),
      citizen_id: value('citizen_id'),
      amr: value('amr'),
      nid: value('nid'),
      role: value('role'),
      phishing_resistant: value('phishing_resistant'),
      idp: value('idp'),
      authenticated_at: value('authenticated_at'),
      created_at: value('created_at'),
      expires_at: value('expires_at'),
      seen_at: value('seen_at'),
      idle_at: value('idle_at'),
      user_agent: value('user_agent'),
      address: value('address'),
    })
    .returning(sql<readonly string[]>`array(select id from surplus)`.as('surplus')),
);
