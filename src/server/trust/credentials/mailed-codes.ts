import { sql } from 'kysely';
import { normalizeTypedCode } from '../../../engine/core/cleaning/clean-text.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';

/** The only purpose and owner for which a code is accepted. */
export interface MailedCodeBinding {
  readonly purpose: 'sign-in' | 'institutional-email' | 'set-up';
  /** Owner of the code: the hash of a sign-in, or the id of a second factor. */
  readonly owner: string;
}

export const mailedCodeLifeS = 10 * 60;
const maxAttempts = 5;

export async function storeMailedCode(
  tx: Tx,
  vault: Vault,
  { purpose, owner, citizenId, code, now }: MailedCodeBinding & { citizenId: string; code: string; now: Date },
): Promise<void> {
  const fresh = {
    citizen_id: citizenId,
    digest: vault.computeDigest(formatPurpose({ purpose, owner }), code),
    tries: 0,
    expires_at: addSeconds(now, mailedCodeLifeS),
    used_at: null,
  };
  await tx
    .insertInto('mailed_codes')
    .values({ purpose, owner, ...fresh })
    .onConflict((conflict) => conflict.columns(['purpose', 'owner']).doUpdateSet(fresh))
    .execute();
}

/**
 * Counts an attempt outside of the command's transaction, whose rollback would undo the count. Returns the digest for `consumeMailedCode`, or `null`
 * if the code is not accepted.
 */
export async function verifyStoredMailedCode(
  store: DatabaseStore,
  vault: Vault,
  { purpose, owner }: MailedCodeBinding,
  typed: string,
  now: Date,
): Promise<string | null> {
  const row = await store.db
    .updateTable('mailed_codes')
    .set({ tries: sql<number>`tries + 1` })
    .where('purpose', '=', purpose)
    .where('owner', '=', owner)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', maxAttempts)
    .returning('digest')
    .executeTakeFirst();
  return row && vault.matchesDigest(formatPurpose({ purpose, owner }), normalizeTypedCode(typed), row.digest)
    ? row.digest
    : null;
}

export async function findMailedCodeRefusalReason(
  store: DatabaseStore,
  { purpose, owner }: MailedCodeBinding,
  now: Date,
): Promise<string> {
  const row = await store.db
    .selectFrom('mailed_codes')
    .select(['used_at', 'expires_at', 'tries'])
    .where('purpose', '=', purpose)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (row === undefined) return 'none';
  if (row.used_at !== null) return 'used';
  if (row.expires_at <= now) return 'expired';
  return row.tries >= maxAttempts ? 'exhausted' : 'wrong';
}

/** Consumes a code that `verifyStoredMailedCode` accepted. Returns `false` if a parallel call consumed it first, or a new code replaced it. */
export async function consumeMailedCode(tx: Tx, { purpose, owner }: MailedCodeBinding, digest: string, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('mailed_codes')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('owner', '=', owner)
    .where('digest', '=', digest)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function voidMailedCodes(tx: Tx, citizenId: string): Promise<void> {
  await tx.deleteFrom('mailed_codes').where('citizen_id', '=', citizenId).execute();
}

function formatPurpose({ purpose, owner }: MailedCodeBinding): string {
  return `mailed code ${purpose} ${owner}`;
}

/** `uuid` is the token of a pending e-mail change. The code is bound to it, so that a code mailed to one address does not prove another address. */
export function createFactorSetUpCodeBinding(factor: string, uuid: string | null): MailedCodeBinding {
  return { purpose: 'set-up', owner: uuid === null ? factor : `${factor} ${hashSecret(uuid)}` };
}
