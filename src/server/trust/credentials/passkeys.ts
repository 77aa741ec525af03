import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Vault } from '../../platform/keys/vault.ts';
import { generateSecret } from '../../platform/keys/random-secrets.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';

export type Passkey = Selectable<Database['passkeys']>;

export const maxPasskeys = 20;

export type NewPasskey = Pick<
  Passkey,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'device_type' | 'backed_up' | 'name'
>;

export function listPasskeys(db: Kysely<Database>, citizenId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('citizen_id', '=', citizenId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findPasskey(
  db: Kysely<Database>,
  credentialId: string,
): Promise<(Passkey & { readonly handle: string }) | null> {
  const found = await db
    .selectFrom('passkeys')
    .innerJoin('passkey_handles', 'passkey_handles.citizen_id', 'passkeys.citizen_id')
    .selectAll('passkeys')
    .select('passkey_handles.handle')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return found ?? null;
}

/** Returns the WebAuthn user handle of a citizen, and creates it on first use. The handle is random, so that it reveals nothing about the citizen. */
export async function ensurePasskeyUserHandle(tx: Tx, citizenId: string): Promise<string> {
  await tx
    .insertInto('passkey_handles')
    .values({ citizen_id: citizenId, handle: generateSecret() })
    .onConflict((conflict) => conflict.column('citizen_id').doNothing())
    .execute();
  const { handle } = await tx
    .selectFrom('passkey_handles')
    .select('handle')
    .where('citizen_id', '=', citizenId)
    .executeTakeFirstOrThrow();
  return handle;
}

export async function addPasskey(
  tx: Tx,
  vault: Vault,
  { citizenId, passkey, now }: { readonly citizenId: string; readonly passkey: NewPasskey; readonly now: Date },
): Promise<string | null> {
  const row = { id: randomUUID(), citizen_id: citizenId, ...passkey, created_at: now };
  const added = await tx
    .insertInto('passkeys')
    .values({ ...row, mac: vault.computeDigest('passkey', formatMacText(row)) })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id ?? null;
}

/** Whether this server wrote the passkey. An attacker who can only write to the database cannot compute the MAC (ASVS 6.7.1). */
export function hasValidPasskeyMac(vault: Vault, passkey: Passkey): boolean {
  return vault.matchesDigest('passkey', formatMacText(passkey), passkey.mac);
}

function formatMacText(passkey: Omit<Passkey, 'mac' | 'last_used_at'>): string {
  const { id, citizen_id, credential_id, public_key, created_at } = passkey;
  return JSON.stringify([id, citizen_id, credential_id, public_key, created_at.toISOString()]);
}

export async function renamePasskey(tx: Tx, citizenId: string, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function removePasskey(tx: Tx, citizenId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether a signature counter indicates a cloned credential. Authenticators without a counter always report 0. */
export function isPasskeyCounterRegressed(known: number, reported: number): boolean {
  return (known > 0 || reported > 0) && reported <= known;
}

/**
 * Records the use of a passkey and its counter. Returns `false` if the passkey was removed or `counter` is not above the stored counter, unless both
 * are 0.
 */
export async function recordPasskeyUse(
  tx: Tx,
  id: string,
  { counter, backedUp, now }: { counter: number; backedUp: boolean; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp, last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('counter', '<', counter), ...(counter === 0 ? [where('counter', '=', 0)] : [])]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
