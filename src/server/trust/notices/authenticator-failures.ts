import { sql } from 'kysely';
import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay } from '../../platform/base/fixed-periods.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { findCitizen } from '../identity/citizens.ts';
import { challengeNames } from '../identity/challenge-names.ts';
import type { DatabaseCommand } from './database-commands.ts';
import own from './texts.json' with { type: 'json' };

const textOf = createCatalogueLookup(own);

/** Number of consecutive failures after which an authenticator is disabled until it is set up again (NIST SP 800-63B-4, section 3.2.2). */
const maxAuthenticatorFailures = 100;

/** Name of the counter of sign-ins with the correct password but without the second factor. It is stored as if it were an authenticator. */
export const unfinishedSignInCounter = 'unfinished';

/** Time in seconds without a failure after which the count starts again. A disabled authenticator stays disabled. */
const resetAfterS = 30 * secondsPerDay;

const noticeThresholds = { failures: 10, unfinished: 3 } as const;

/** Authenticators whose secret can be guessed, each with the code of the text that explains how to set the authenticator up again. */
const guessableAuthenticators: Readonly<Record<string, keyof (typeof own)['es']>> = {
  [challengeNames.password]: 'mail_clave_deshabilitada',
  [challengeNames.totp]: 'mail_aplicacion_deshabilitada',
  [challengeNames.mailedCode]: 'mail_codigos_deshabilitados',
};

/** Failures of one authenticator. `browser` is the hash of a known browser, or empty for all unknown browsers together. */
export interface AuthenticatorFailures {
  readonly authenticator: string;
  readonly browser: string;
  readonly failures: number;
}

/**
 * Whether too many failures have disabled an authenticator. Known browsers have separate counts, so that strangers cannot disable it in the citizen's
 * browser.
 */
export function isAuthenticatorDisabled(
  attempts: readonly AuthenticatorFailures[],
  authenticator: string,
  browser: string | null,
): boolean {
  return attempts.some(
    (row) =>
      row.authenticator === authenticator &&
      row.browser === (browser ?? '') &&
      row.failures >= maxAuthenticatorFailures,
  );
}

export function listAuthenticatorFailures(
  db: DatabaseStore['db'],
  citizenId: string,
): Promise<readonly AuthenticatorFailures[]> {
  return db
    .selectFrom('failed_attempts')
    .select(['authenticator', 'browser', 'failures'])
    .where('citizen_id', '=', citizenId)
    .execute();
}

/** Counts a failure, and notifies the citizen at certain counts. Does the same work if the citizen does not exist. */
export async function countAuthenticatorFailure(
  { tx, now, origin, audit, notify, warn }: DatabaseCommand,
  { citizenId, authenticator, browser }: { citizenId: string | null; authenticator: string; browser: string | null },
): Promise<void> {
  const remedy = guessableAuthenticators[authenticator];
  if (remedy === undefined && authenticator !== unfinishedSignInCounter) return;
  const counted = await sql<{ failures: number }>`
    insert into failed_attempts (citizen_id, authenticator, browser, failures, failed_at)
    select id, ${authenticator}, ${browser ?? ''}, 1, ${now} from citizens where id = ${citizenId ?? ''}
    on conflict (citizen_id, authenticator, browser) do update set failed_at = ${now}, failures =
      case when failed_attempts.failures < ${maxAuthenticatorFailures} and failed_attempts.failed_at < ${addSeconds(now, -resetAfterS)} then 1
      else failed_attempts.failures + 1 end
    returning failures`.execute(tx);
  const failures = counted.rows[0]?.failures ?? 0;
  const isDue = failures === (remedy === undefined ? noticeThresholds.unfinished : noticeThresholds.failures);
  if (!isDue && failures !== maxAuthenticatorFailures) return;
  const citizen = await findCitizen(tx, citizenId ?? '');
  if (citizen === null) return;
  const values = { count: String(failures) };
  if (remedy === undefined) return notify('second-factor-missing', citizen, { sessionId: null, values });
  if (isDue) return warn('sign-in-failures', citizen, values);
  await audit('authenticator-disabled', citizen.id, { authenticator });
  await warn('authenticator-disabled', citizen, { ...values, remedy: textOf(remedy, origin.language) });
}

export async function clearFailuresOfProvenFactors(
  tx: Tx,
  citizenId: string,
  { proven, browser }: { readonly proven: readonly string[]; readonly browser: string | null },
): Promise<void> {
  await tx
    .deleteFrom('failed_attempts')
    .where('citizen_id', '=', citizenId)
    .where('browser', '=', browser ?? '')
    .where('authenticator', 'in', [...proven, unfinishedSignInCounter])
    .execute();
}

export async function resetAuthenticatorFailures(tx: Tx, citizenId: string, authenticator: string): Promise<void> {
  await tx
    .deleteFrom('failed_attempts')
    .where('citizen_id', '=', citizenId)
    .where('authenticator', '=', authenticator)
    .execute();
}
