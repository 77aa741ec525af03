import type { Clock } from '../../../platform/base/clock.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { challengeNames } from '../../identity/names.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import { isLive, signedInAt } from '../../sessions/sessions.ts';

export interface SamlSession {
  readonly id: string;
  readonly citizenId: string;
  readonly nid: number;
  /** Identity provider of the sign-in. `null` for the portal's own account. */
  readonly idp: string | null;
  /** Whether the citizen signed in with the key of the identity card. */
  readonly card: boolean;
  readonly createdAt: Date;
  /** Time of the sign-in, here or at the identity provider. `null` if the identity provider does not report it. */
  readonly signedInAt: Date | null;
  readonly expiresAt: Date;
}

/** Finds the live session of a cookie. Returns `null` if there is none or its citizen is blocked. */
export async function liveSession(
  { store, clock }: { store: Store; clock: Clock },
  secret: string,
): Promise<SamlSession | null> {
  const row = await store.db
    .selectFrom('broker_sessions')
    .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
    .select([
      'broker_sessions.id',
      'citizen_id',
      'nid',
      'broker_sessions.idp',
      'amr',
      'broker_sessions.created_at',
      'authenticated_at',
      'broker_sessions.expires_at',
    ])
    .where('hash', '=', hashSecret(secret))
    .where(isLive(clock.now()))
    .where('citizens.blocked_at', 'is', null)
    .executeTakeFirst();
  return row
    ? {
        id: row.id,
        citizenId: row.citizen_id,
        nid: row.nid,
        idp: row.idp,
        card: row.amr.split(' ').includes(challengeNames.card),
        createdAt: row.created_at,
        signedInAt: signedInAt(row),
        expiresAt: row.expires_at,
      }
    : null;
}
