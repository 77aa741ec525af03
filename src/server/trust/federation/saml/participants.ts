import type { Store, Tx } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { NameId } from './response.ts';

/** A service provider in a session, and the names by which it knows the citizen and the session. */
export interface Participant {
  readonly provider: string;
  readonly nameId: NameId;
  readonly sessionIndex: string;
}

/** Deletes the participants of sessions, in the transaction that ends them. Returns them so that they can be notified. */
export async function takeParticipants(tx: Tx, sessionIds: readonly string[]): Promise<readonly Participant[]> {
  if (sessionIds.length === 0) return [];
  const rows = await tx
    .deleteFrom('saml_participants')
    .where('session_id', 'in', sessionIds)
    .returning(['provider', 'name_id', 'name_id_format', 'session_index'])
    .execute();
  return rows.map(readParticipant);
}

export async function listParticipants({ db }: Store, sessionId: string): Promise<readonly Participant[]> {
  const rows = await db
    .selectFrom('saml_participants')
    .select(['provider', 'name_id', 'name_id_format', 'session_index'])
    .where('session_id', '=', sessionId)
    .execute();
  return rows.map(readParticipant);
}

export async function dropParticipants({ db }: Store, sessionId: string): Promise<void> {
  await db.deleteFrom('saml_participants').where('session_id', '=', sessionId).execute();
}

/** Returns `null` if the session is not signed in at the service provider. */
export async function findParticipant({ db }: Store, sessionId: string, provider: string): Promise<Participant | null> {
  const row = await db
    .selectFrom('saml_participants')
    .select(['name_id', 'name_id_format', 'session_index'])
    .where('session_id', '=', sessionId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  if (!row) return null;
  return { provider, nameId: { value: row.name_id, format: row.name_id_format }, sessionIndex: row.session_index };
}

/** Moves the participants to a new session of the same citizen in the same browser. */
export async function keepParticipants(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('saml_participants').set({ session_id: to }).where('session_id', '=', from).execute();
}

/** Sessions that match a NameID, and one of the session indexes if there are any. */
export async function sessionsKnownAs(
  { db }: Store,
  { provider, name, indexes }: { provider: string; name: string; indexes: readonly string[] },
): Promise<readonly string[]> {
  let query = db
    .selectFrom('saml_participants')
    .select('session_id')
    .where('provider', '=', provider)
    .where('name_id', '=', name);
  if (indexes.length > 0) query = query.where('session_index', 'in', indexes);
  return (await query.execute()).map(({ session_id: id }) => id);
}

function readParticipant({
  provider,
  name_id: value,
  name_id_format: format,
  session_index: sessionIndex,
}: Pick<Database['saml_participants'], 'provider' | 'name_id' | 'name_id_format' | 'session_index'>): Participant {
  return { provider, nameId: { value, format }, sessionIndex };
}
