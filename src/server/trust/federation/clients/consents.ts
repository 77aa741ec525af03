import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tx } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { textsVersion } from './scopes.ts';

/** Scopes that a citizen has consented to for an application. Returns `null` if there is no consent. */
export async function consentedScopes(
  db: Kysely<Database>,
  citizenId: string,
  clientId: string,
): Promise<readonly string[] | null> {
  const row = await db
    .selectFrom('consents')
    .select('scopes')
    .where('citizen_id', '=', citizenId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row ? row.scopes.split(' ') : null;
}

/** Adds scopes to a citizen's consent. Returns all of its scopes. */
export async function addConsent(
  tx: Tx,
  { citizenId, clientId, scopes, now }: { citizenId: string; clientId: string; scopes: readonly string[]; now: Date },
): Promise<readonly string[]> {
  const before = (await consentedScopes(tx, citizenId, clientId)) ?? [];
  const all = [...new Set([...before, ...scopes])];
  const row = { scopes: all.join(' '), texts_version: textsVersion, given_at: now };
  await tx
    .insertInto('consents')
    .values({ id: randomUUID(), citizen_id: citizenId, client_id: clientId, ...row })
    .onConflict((conflict) => conflict.columns(['citizen_id', 'client_id']).doUpdateSet(row))
    .execute();
  return all;
}

/** Deletes all consents and tokens of a removed application, so that a later application with the same id does not inherit them. */
export async function forgetApplication(tx: Tx, clientId: string): Promise<void> {
  await tx.deleteFrom('consents').where('client_id', '=', clientId).execute();
  await tx.deleteFrom('oidc_records').where('client_id', '=', clientId).execute();
}

/** Revokes an application's access: its consent, grants, codes and tokens. Returns `false` if there was no consent. */
export async function revokeClient(tx: Tx, citizenId: string, clientId: string): Promise<boolean> {
  const ended = await tx
    .deleteFrom('consents')
    .where('citizen_id', '=', citizenId)
    .where('client_id', '=', clientId)
    .returning('id')
    .executeTakeFirst();
  await tx.deleteFrom('oidc_records').where('account_id', '=', citizenId).where('client_id', '=', clientId).execute();
  return ended !== undefined;
}
