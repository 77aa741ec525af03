import { cleanCode } from '../../../engine/core/cleaning/clean-text.ts';
import { randomCode } from '../../platform/keys/codes.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

const count = 10;
const length = 10;

/** Creates ten recovery codes, which replace the old ones. Returns them in plain text. Only their digests are stored. */
export async function makeRecoveryCodes(tx: Tx, vault: Vault, citizenId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomCode(length));
  await dropRecoveryCodes(tx, citizenId);
  await tx
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({
        citizen_id: citizenId,
        digest: digestCode(vault, citizenId, code),
        created_at: now,
        used_at: null,
      })),
    )
    .execute();
  return codes;
}

/** Consumes a recovery code. Returns `false` if the citizen has no unused code with this value. Of parallel calls, one succeeds. */
export async function useRecoveryCode(
  tx: Tx,
  vault: Vault,
  citizenId: string,
  typed: string,
  now: Date,
): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('citizen_id', '=', citizenId)
    .where('digest', '=', digestCode(vault, citizenId, cleanCode(typed)))
    .where('used_at', 'is', null)
    .returning('digest')
    .executeTakeFirst();
  return used !== undefined;
}

export async function hasRecoveryCode(
  db: Store['db'],
  vault: Vault,
  citizenId: string,
  typed: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('recovery_codes')
    .select('digest')
    .where('citizen_id', '=', citizenId)
    .where('digest', '=', digestCode(vault, citizenId, cleanCode(typed)))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

export async function dropRecoveryCodes(tx: Tx, citizenId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('citizen_id', '=', citizenId).execute();
}

export async function countRecoveryCodes(db: Store['db'], citizenId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('citizen_id', '=', citizenId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

function digestCode(vault: Vault, citizenId: string, code: string): string {
  return vault.digest(`recovery code ${citizenId}`, code);
}
