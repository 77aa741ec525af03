import { randomUUID } from 'node:crypto';
import { expressionBuilder, type ExpressionWrapper, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { Tx } from '../../platform/database/open-store.ts';
import { listPasskeys, type Passkey } from './passkeys.ts';
import type { Database } from '../../platform/database/schema.ts';
import { normalizeTypedCode } from '../../../engine/core/cleaning/clean-text.ts';
import { verifySync } from 'otplib';

export type SecondFactor = Selectable<Database['second_factors']>;
export type SecondFactorKind = SecondFactor['kind'];

export type ActiveSecondFactors = Readonly<Record<SecondFactorKind, SecondFactor | null>> & {
  readonly passkeys: readonly Passkey[];
};

export const noActiveFactors: ActiveSecondFactors = { totp: null, email: null, passkeys: [] };

export async function findActiveSecondFactors(db: Kysely<Database>, citizenId: string): Promise<ActiveSecondFactors> {
  const rows = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('citizen_id', '=', citizenId)
    .where('activated_at', 'is not', null)
    .execute();
  const findKind = (kind: SecondFactorKind) => rows.find((row) => row.kind === kind) ?? null;
  return { totp: findKind('totp'), email: findKind('email'), passkeys: await listPasskeys(db, citizenId) };
}

/** SQL condition: the citizen of the current row of `citizens` has an active second factor. */
export function buildActiveSecondFactorCondition(): ExpressionWrapper<Database, 'citizens', SqlBool> {
  const citizen = expressionBuilder<Database, 'citizens'>();
  return citizen.or([
    citizen.exists(
      citizen
        .selectFrom('second_factors')
        .select('second_factors.id')
        .whereRef('second_factors.citizen_id', '=', 'citizens.id')
        .where('second_factors.activated_at', 'is not', null),
    ),
    citizen.exists(
      citizen.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.citizen_id', '=', 'citizens.id'),
    ),
  ]);
}

export async function hasSecondFactor(db: Kysely<Database>, citizenId: string): Promise<boolean> {
  return hasActiveSecondFactor(await findActiveSecondFactors(db, citizenId));
}

export function hasActiveSecondFactor(active: ActiveSecondFactors): boolean {
  return countActiveSecondFactors(active) > 0;
}

export function countActiveSecondFactors({ totp, email, passkeys }: ActiveSecondFactors): number {
  return Number(totp !== null) + Number(email !== null) + passkeys.length;
}

/** Replaces a pending factor of the same kind. `seal` returns the encrypted secret, bound to the id of the factor. */
export async function createPendingSecondFactor(
  tx: Tx,
  factor: { citizenId: string; kind: SecondFactorKind; now: Date; seal?: (id: string) => string },
): Promise<string> {
  const { citizenId, kind, now, seal } = factor;
  const id = randomUUID();
  await tx
    .deleteFrom('second_factors')
    .where('citizen_id', '=', citizenId)
    .where('kind', '=', kind)
    .where('activated_at', 'is', null)
    .execute();
  await tx
    .insertInto('second_factors')
    .values({ id, citizen_id: citizenId, kind, secret: seal?.(id) ?? null, created_at: now })
    .execute();
  return id;
}

export async function findPendingSecondFactor(
  db: Kysely<Database>,
  citizenId: string,
  kind: SecondFactorKind,
  id: string,
): Promise<SecondFactor | null> {
  const found = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('id', '=', id)
    .where('citizen_id', '=', citizenId)
    .where('kind', '=', kind)
    .where('activated_at', 'is', null)
    .executeTakeFirst();
  return found ?? null;
}

/** Activates a pending factor, which replaces the active factor of its kind. Returns `false` if it is no longer pending. */
export async function activatePendingSecondFactor(tx: Tx, { id, citizen_id, kind }: SecondFactor, now: Date) {
  await tx
    .deleteFrom('second_factors')
    .where('citizen_id', '=', citizen_id)
    .where('kind', '=', kind)
    .where('activated_at', 'is not', null)
    .execute();
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ activated_at: now })
    .where('id', '=', id)
    .where('activated_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Consumes the time step of an accepted code. Returns `false` if this step or a later one was used before (RFC 6238, section 5.2). */
export async function consumeTotpStep(tx: Tx, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('id', '=', id)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const stepS = 30;

export { generateSecret as generateTotpSecret, generateURI as buildTotpUri } from 'otplib';

export function buildTotpVaultPurpose(factorId: string): string {
  return `totp ${factorId}`;
}

/** Largest clock drift of an authenticator app that the log reports, in seconds. */
const maxReportedSkewS = 15 * 60;

/**
 * Accepts the current and the previous time step, to leave time to type. Rejects the next: phones have accurate clocks, and a step extends the life
 * of a code by half (ASVS 6.5.5).
 */
export function findTotpStep(secret: string, typed: string, now: Date): number | null {
  return findStepWithin(secret, typed, now, [stepS, 0]);
}

/**
 * Returns how far the authenticator app's clock is ahead, in seconds (negative: behind). Returns `null` if no drift of up to 15 minutes explains the
 * code.
 */
export function measureTotpSkewS(secret: string, typed: string, now: Date): number | null {
  const step = findStepWithin(secret, typed, now, [maxReportedSkewS, maxReportedSkewS]);
  return step === null ? null : (step - Math.floor(now.getTime() / 1000 / stepS)) * stepS;
}

function findStepWithin(secret: string, typed: string, now: Date, epochTolerance: [past: number, future: number]) {
  const code = normalizeTypedCode(typed);
  if (!/^\d{6}$/.test(code)) return null;
  const result = verifySync({
    strategy: 'totp',
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance,
    period: stepS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
