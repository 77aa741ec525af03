import { sql, type Selectable } from 'kysely';
import { addSeconds } from '../../platform/base/clock.ts';
import { formatDocumentId, type IdentityDocument } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { hashSecret, generateSecret } from '../../platform/keys/random-secrets.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { createPreparedQuery } from '../../platform/database/prepared-query.ts';
import type { Database } from '../../platform/database/schema.ts';
import { challengeNames } from '../identity/challenge-names.ts';
import type { AdmittedInsert } from '../abuse/attempt-throttle.ts';
import { buildKnownDeviceSql, readDeviceSecrets } from './known-devices.ts';
import type { AuthenticatorFailures } from '../notices/authenticator-failures.ts';

export type SignInRecord = Selectable<Database['challenges']>;

/** Lifetime of a pending sign-in and of its browser cookie, in seconds. */
export const signInLifeS = 10 * 60;
const maxAttempts = 10;

type NewSignIn = Pick<
  SignInRecord,
  'step' | 'document' | 'citizen_id' | 'redirect_url' | 'process_state' | 'agent' | 'user_agent' | 'address'
>;

/** Stores a new sign-in that waits for `step` and is bound to the browser's secret. Returns the token that the client must send with each step. */
export async function createSignInRecord(store: DatabaseStore, start: NewSignIn, browser: string, now: Date) {
  const secret = generateSecret();
  await store.db
    .insertInto('challenges')
    .values(createRow(start, secret, browser, now))
    .execute();
  return secret;
}

/** Prepares a new sign-in like `createSignInRecord`, as an insert to run in the statement of the throttle's `admit`. */
export function prepareSignInInsert(
  { country, type, number }: IdentityDocument,
  start: Omit<NewSignIn, 'citizen_id' | 'document'>,
  browser: string,
  now: Date,
): { readonly secret: string; readonly change: AdmittedInsert } {
  const secret = generateSecret();
  const document = formatDocumentId({ country, type, number });
  const row = createRow({ ...start, document, citizen_id: null }, secret, browser, now);
  return { secret, change: { insert: insertForDocument, values: { ...row, country, type, number } } };
}

const insertForDocument: AdmittedInsert['insert'] = (admitted, value) => {
  const given = signInColumns.filter((name) => name !== 'citizen_id');
  return sql`insert into challenges (citizen_id, ${sql.join(given.map((name) => sql.id(name)))})
    select (select id from citizens
        where country = ${value('country')} and type = ${value('type')} and number = ${value('number')} and idp is null),
      ${sql.join(given.map((name) => value(name)))}
    from ${admitted}`;
};

function createRow(start: NewSignIn, secret: string, browser: string, now: Date) {
  return {
    ...start,
    hash: hashSecret(secret),
    browser: hashSecret(browser),
    factors: 'username',
    tries: 0,
    institutional_email: null,
    created_at: now,
    expires_at: addSeconds(now, signInLifeS),
    used_at: null,
  };
}

export interface SignInAttempt {
  readonly step: string;
  readonly secret: string | null | undefined;
  readonly browser: string | undefined;
  readonly device?: string | undefined;
  /** Whether to return to a `step` that has already been completed, as the back button does. The step and all later steps must be completed again. */
  readonly back?: boolean;
  readonly now: Date;
}

export type AttemptedSignInRecord = SignInRecord & {
  readonly password_hash: string | null;
  /** Time at which the password was reset with a mailed link. `null` after a factor other than the mailbox has confirmed the password. */
  readonly password_reset_at: Date | null;
  readonly known_device: string | null;
  readonly has_factor: boolean;
  readonly failed_attempts: readonly AuthenticatorFailures[];
};

/** Counts an attempt. Throws `createSignInExpiredError()` if the sign-in is at another step, used, expired, exhausted, or of another browser. */
export async function beginSignInStepAttempt(
  store: DatabaseStore,
  { step, secret, browser, device, back = false, now }: SignInAttempt,
): Promise<AttemptedSignInRecord> {
  if (!secret || browser === undefined) throw createSignInExpiredError();
  const keys = { hash: hashSecret(secret), browser: hashSecret(browser), devices: readDeviceSecrets(device) };
  const [record] = await claimSignInRow(store.db, { ...keys, step, back, now });
  if (!record) throw createSignInExpiredError();
  return record;
}

/** Names of the columns. They are explicit, so that a prepared statement returns the same columns after a migration adds a column. */
const signInColumns = [
  'hash',
  'browser',
  'step',
  'document',
  'citizen_id',
  'factors',
  'tries',
  'redirect_url',
  'process_state',
  'agent',
  'institutional_email',
  'user_agent',
  'address',
  'created_at',
  'expires_at',
  'used_at',
];

const claimSignInRow = createPreparedQuery<
  { hash: string; browser: string; step: string; back: boolean; devices: readonly string[]; now: Date },
  AttemptedSignInRecord
>((db, value) => ({
  compile: () =>
    sql<AttemptedSignInRecord>`update challenges set
        tries = tries + 1,
        step = ${value('step')}::text,
        factors = case when step = ${value('step')}::text then factors else 'username' end,
        institutional_email = case when step = ${value('step')}::text then institutional_email end
      where hash = ${value('hash')} and browser = ${value('browser')} and used_at is null and expires_at > ${value('now')} and tries < ${sql.lit(maxAttempts)}
        and (step = ${value('step')}::text or (${value('back')}::boolean and ${value('step')}::text = any(string_to_array(factors, ' '))))
      returning ${sql.join(signInColumns.map((name) => sql.id(name)))},
        (select password_hash from credentials where credentials.citizen_id = challenges.citizen_id),
        (select reset_at from credentials where credentials.citizen_id = challenges.citizen_id) as password_reset_at,
        ${buildKnownDeviceSql(sql`challenges.citizen_id`, value('devices'))} as known_device,
        exists (select from second_factors f where f.citizen_id = challenges.citizen_id and f.activated_at is not null)
          or exists (select from passkeys p where p.citizen_id = challenges.citizen_id) as has_factor,
        (select coalesce(jsonb_agg(a), '[]') from failed_attempts a where a.citizen_id = challenges.citizen_id) as failed_attempts`.compile(
      db,
    ),
}));

export async function findSignInRecord(store: DatabaseStore, step: string, secret: string, now: Date) {
  const record = await store.db
    .selectFrom('challenges')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('step', '=', step)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return record ?? null;
}

export async function findPendingSignIn(
  { db }: DatabaseStore,
  browser: string,
  now: Date,
): Promise<Pick<SignInRecord, 'document' | 'process_state'> | null> {
  const { password } = challengeNames;
  const record = await db
    .selectFrom('challenges')
    .select(['document', 'process_state'])
    .where('browser', '=', hashSecret(browser))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where((where) => where.or([where('step', '=', password), where('factors', 'like', `% ${password}%`)]))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return record ?? null;
}

export async function findSignInRefusalReason(
  store: DatabaseStore,
  { step, secret, browser, now }: SignInAttempt,
): Promise<{ readonly record: SignInRecord; readonly reason: string } | null> {
  const record = await store.db
    .selectFrom('challenges')
    .selectAll()
    .where('hash', '=', hashSecret(secret ?? ''))
    .executeTakeFirst();
  if (record === undefined) return null;
  if (record.browser !== hashSecret(browser ?? '')) return { record, reason: 'other-browser' };
  if (record.used_at !== null) return { record, reason: 'used' };
  if (record.expires_at <= now) return { record, reason: 'expired' };
  return { record, reason: record.step === step ? 'exhausted' : 'other-step' };
}

export async function findSupersededSignIn(store: DatabaseStore, secret: string, sessionId: string) {
  const record = await store.db
    .selectFrom('challenges')
    .innerJoin('broker_sessions', (join) =>
      join
        .onRef('broker_sessions.citizen_id', '=', 'challenges.citizen_id')
        .onRef('broker_sessions.created_at', '>', 'challenges.created_at'),
    )
    .selectAll('challenges')
    .where('challenges.hash', '=', hashSecret(secret))
    .where('broker_sessions.id', '=', sessionId)
    .executeTakeFirst();
  return record ?? null;
}

/**
 * Moves a sign-in to its next step. If answers to a step arrive in parallel, all but one throw `createSignInExpiredError()`. A new factor resets the
 * number of attempts.
 */
export async function advanceSignInRecord(tx: Tx, record: SignInRecord, next: SignInRecord): Promise<void> {
  const { step, factors, agent, institutional_email, citizen_id, document } = next;
  const { numUpdatedRows } = await tx
    .updateTable('challenges')
    .set({
      step,
      factors,
      agent,
      institutional_email,
      citizen_id,
      document,
      ...(factors === record.factors ? {} : { tries: 0 }),
    })
    .where('hash', '=', record.hash)
    .where('step', '=', record.step)
    .where('factors', '=', record.factors)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw createSignInExpiredError();
}

/** Ends all pending sign-ins of a citizen, because factors proven before a change of the account must be proven again. */
export async function endPendingSignIns(tx: Tx, citizenId: string, now: Date): Promise<void> {
  await tx
    .updateTable('challenges')
    .set({ used_at: now })
    .where('citizen_id', '=', citizenId)
    .where('used_at', 'is', null)
    .execute();
}

/** Replaces the token of the pending sign-in whose old token has this `hash`. Returns `null` if the sign-in no longer waits for `step`. */
export async function replaceSignInToken(
  tx: Tx,
  hash: string,
  step: string,
  now: Date,
): Promise<(Pick<SignInRecord, 'process_state' | 'redirect_url' | 'agent'> & { readonly token: string }) | null> {
  const token = generateSecret();
  const waiting = await tx
    .updateTable('challenges')
    .set({ hash: hashSecret(token) })
    .where('hash', '=', hash)
    .where('step', '=', step)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['process_state', 'redirect_url', 'agent'])
    .executeTakeFirst();
  return waiting ? { ...waiting, token } : null;
}

export function listCompletedChallenges({ factors }: Pick<SignInRecord, 'factors'>): readonly string[] {
  return factors.split(' ');
}

/** Creates the error for every sign-in that cannot continue. The error does not reveal the reason. */
export function createSignInExpiredError(): OperationError {
  return new OperationError(410, 'sesion_expirada');
}

export function isSignInExpiredError(error: unknown): boolean {
  return error instanceof OperationError && error.code === createSignInExpiredError().code;
}
