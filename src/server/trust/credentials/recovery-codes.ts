import { normalizeTypedCode } from '../../../engine/core/cleaning/clean-text.ts';
import { generateRandomCode } from '../../platform/keys/random-secrets.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import type { PasswordHasher } from './passwords.ts';

export interface RecoveryCodes {
  readonly citizenId: string;
  readonly codes: string[];
  readonly digests: readonly string[];
}

/** Creates ten recovery codes. Call it before the transaction, because slow hashing would occupy a connection. */
export async function generateRecoveryCodes(
  passwords: Pick<PasswordHasher, 'hashCodes'>,
  citizenId: string,
): Promise<RecoveryCodes> {
  const codes = Array.from({ length: 10 }, () => generateRandomCode(16)); // 80 bits in an alphabet of 32 characters
  return { citizenId, codes, digests: await passwords.hashCodes(codes.map((code) => bindCode(citizenId, code))) };
}

export async function storeRecoveryCodes(tx: Tx, { citizenId, codes, digests }: RecoveryCodes, now: Date) {
  await deleteRecoveryCodes(tx, citizenId);
  await tx
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ citizen_id: citizenId, digest, created_at: now })))
    .execute();
  return codes;
}

/** Returns the digest of an unused recovery code. Returns `null` if the citizen has no such code. One hash tests all codes, as they share a salt. */
export async function findRecoveryCode(
  db: DatabaseStore['db'],
  passwords: Pick<PasswordHasher, 'findCode'>,
  citizenId: string,
  typed: string,
): Promise<string | null> {
  const unused = await db
    .selectFrom('recovery_codes')
    .select('digest')
    .where('citizen_id', '=', citizenId)
    .where('used_at', 'is', null)
    .execute();
  return passwords.findCode(
    unused.map(({ digest }) => digest),
    bindCode(citizenId, normalizeTypedCode(typed)),
  );
}

/** Returns `false` if the code has been used in the meantime. Of parallel calls, only one succeeds. */
export async function consumeRecoveryCode(tx: Tx, citizenId: string, digest: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('citizen_id', '=', citizenId)
    .where('digest', '=', digest)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteRecoveryCodes(tx: Tx, citizenId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('citizen_id', '=', citizenId).execute();
}

export async function countUnusedRecoveryCodes(db: DatabaseStore['db'], citizenId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('citizen_id', '=', citizenId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Binds a code to its citizen, so that its hash does not match for another citizen. */
function bindCode(citizenId: string, code: string): string {
  return `${citizenId} ${code}`;
}
