import { sql } from 'kysely';
import type { Tx } from '../../platform/database/open-store.ts';
import { createPreparedQuery } from '../../platform/database/prepared-query.ts';
import { buildActiveSecondFactorCondition } from '../../trust/credentials/second-factors.ts';
import { selectCitizens, type Citizen } from '../../trust/identity/citizens.ts';
import {
  createSignInExpiredError,
  type SignInRecord,
  listCompletedChallenges,
} from '../../trust/sessions/sign-in-record.ts';
import { buildKnownDeviceSql, readDeviceSecrets, createDeviceCookie } from '../../trust/sessions/known-devices.ts';
import type { HandlerContext } from '../handler-context.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { listRedirectOrigins, sanitizeRedirect } from '../../../contract/sanitize-redirect.ts';
import {
  awaitsIdentityProofing,
  getIdentityLevel,
  isRestrictedCitizen,
} from '../../trust/identity/assurance-levels.ts';
import type { OperationRequest, OperationReply } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { resolveRetentionPeriodS } from '../../platform/modules/table-descriptions.ts';
import { maskIpAddress } from '../../platform/base/ip-addresses.ts';
import { describeDevice } from '../../platform/base/client-device.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { countUnusedRecoveryCodes } from '../../trust/credentials/recovery-codes.ts';
import {
  hasFactorBesidesMailbox,
  computeSessionLevel,
  findLevelShortfall,
} from '../../trust/identity/session-level.ts';
import type { PendingAuthenticationRequest } from '../../trust/federation/clients/pending-request.ts';
import { moveSamlParticipants } from '../../trust/federation/saml/logout-messages.ts';
import { revokeSession } from '../../trust/sessions/revoke-sessions.ts';
import { startSession, type NewSession } from '../../trust/sessions/start-session.ts';
import { pagePaths, proofingPagePath, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';

export type SignInContext = Awaited<ReturnType<typeof loadSignInContext>>;

/**
 * Loads the account of a sign-in and its factors. Throws the error of an expired sign-in if a parallel request has used or advanced the sign-in, or
 * if the citizen does not exist.
 */
export async function loadSignInContext(tx: Tx, record: SignInRecord, device: string | undefined) {
  const { hash, step, factors } = record;
  const id = record.citizen_id ?? '';
  const [found] = await selectSignInRow(tx, { id, hash, step, factors, devices: readDeviceSecrets(device) });
  if (!found?.is_open) throw createSignInExpiredError();
  const { password_hash: passwordHash, has_factor: hasFactor, known_device, reset_at, is_open: _, ...citizen } = found;
  return {
    citizen,
    passwordHash,
    /** Time of a password reset by mail. `null` if there was none, or if the citizen has since proven another factor than the mailbox. */
    passwordResetAt: reset_at,
    hasFactor,
    /** Hash that identifies the citizen's known browser. `null` if the browser is new. */
    device: known_device,
  };
}

type SignInRow = Citizen & {
  readonly password_hash: string | null;
  readonly reset_at: Date | null;
  readonly has_factor: boolean;
  readonly known_device: string | null;
  readonly is_open: boolean;
};

const selectSignInRow = createPreparedQuery<
  { id: string; hash: string; step: string; factors: string; devices: readonly string[] },
  SignInRow
>((db, value) =>
  selectCitizens(db)
    .select([
      'credentials.password_hash',
      'credentials.reset_at',
      buildActiveSecondFactorCondition().$castTo<boolean>().as('has_factor'),
      buildKnownDeviceSql(sql`citizens.id`, value('devices')).as('known_device'),
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('challenges')
          .select('challenges.hash')
          .where('challenges.hash', '=', value('hash'))
          .where('challenges.step', '=', value('step'))
          .where('challenges.factors', '=', value('factors'))
          .where('challenges.used_at', 'is', null),
      )
        .$castTo<boolean>()
        .as('is_open'),
    )
    .where('citizens.id', '=', value('id')),
);

export function findSignInObstacle(citizen: Citizen): OperationError | null {
  if (citizen.blocked_at !== null)
    return new OperationError(403, 'account_blocked', { field: 'password', sendsCodeAsMessage: true });
  if (citizen.active_at === null)
    return new OperationError(403, 'account_no_activated', { field: 'password', sendsCodeAsMessage: true });
  return null;
}

export type SignInDependencies = Pick<HandlerContext, 'config' | 'notifyEnds'>;

export interface SignInResult {
  readonly cookies: NonNullable<OperationReply<'answerChallenge'>['cookies']>;
  /** Notifies the applications of the sessions that this sign-in ended. To be called after the response. */
  readonly after: () => Promise<void>;
  readonly recoveryCodesLeft?: number;
}

export async function completeSignIn(
  command: DatabaseCommand,
  dependencies: SignInDependencies,
  request: OperationRequest<'answerChallenge'>,
  record: SignInRecord,
  { citizen, device, hasFactor, passwordResetAt }: SignInContext,
): Promise<SignInResult> {
  const amr = listAmrValues(record);
  // The reset password is confirmed if the sign-in also proved a factor other than the mailbox, or the account has no second factor.
  const confirms = amr.includes(challengeNames.password) && (hasFactorBesidesMailbox(amr) || !hasFactor);
  if (passwordResetAt !== null && confirms)
    await command.tx.updateTable('credentials').set({ reset_at: null }).where('citizen_id', '=', citizen.id).execute();
  const recoveryCodesLeft = amr.includes(challengeNames.recoveryCode)
    ? await countUnusedRecoveryCodes(command.tx, citizen.id)
    : undefined;
  if (recoveryCodesLeft !== undefined) {
    const values = { left: String(recoveryCodesLeft) };
    await command.notify('recovery-code-used', citizen, { sessionId: null, values });
  }
  const signedIn = await startBrowserSession(command, dependencies, request.cookies, {
    citizen,
    device,
    challenge: record,
    amr,
    nid: computeSessionLevel(getIdentityLevel(citizen).nid, amr),
    role: listCompletedChallenges(record).includes(challengeNames.institutionalEmail) ? 'agent' : 'citizen',
  });
  return { ...signedIn, ...(recoveryCodesLeft !== undefined && { recoveryCodesLeft }) };
}

/** Ends the previous session of this browser. Notifies the citizen of a sign-in in a new browser, except at the first sign-in. */
export async function startBrowserSession(
  command: DatabaseCommand,
  { config, notifyEnds }: SignInDependencies,
  cookies: OperationRequest<'answerChallenge'>['cookies'],
  {
    citizen,
    device: known,
    ...proven
  }: { readonly citizen: Citizen; readonly device: string | null } & Pick<
    NewSession,
    'amr' | 'nid' | 'role' | 'idp' | 'authenticatedAt' | 'challenge'
  >,
): Promise<SignInResult> {
  const { tx, now, origin } = command;
  const browser = createDeviceCookie(citizen.id, { cookie: cookies.device, known });
  const before = await endPreviousSession(command, cookies.session, citizen);
  const session = await startSession(tx, {
    citizenId: citizen.id,
    ...proven,
    now,
    lifeS: config.sessionLifeS,
    idleS: config.sessionIdleS,
    maxSessions: config.maxSessions,
    device: { userAgent: origin.userAgent, address: origin.address },
    browser: browser.hash,
  });
  if (before.continuedSessionId !== null) await moveSamlParticipants(tx, before.continuedSessionId, session.id);
  if (known === null && citizen.last_login_at !== null) {
    const device = describeDevice(origin.userAgent, origin.language);
    const values = { device, network: maskIpAddress(origin.address) };
    await command.notify('new-device', citizen, { sessionId: session.id, values });
  }
  const details = {
    amr: [...proven.amr],
    ...(proven.idp !== undefined && { idp: proven.idp }),
    ...(session.ended.length > 0 && { ended: session.ended.length }),
  };
  await command.identifyCitizen(citizen.id).audit('sign-in', citizen.id, details);
  return {
    cookies: {
      session: { value: session.secret, maxAge: config.sessionLifeS },
      device: { value: browser.cookie, maxAge: resolveRetentionPeriodS('DEVICES_DAYS', config) },
      challenge: null,
    },
    after: async () => void (await notifyEnds([...before.endedSessionIds, ...session.ended])),
  };
}

/** Ends the browser's previous session. If it belongs to the same citizen, the new session continues it, and its applications are not notified. */
async function endPreviousSession({ tx, now }: DatabaseCommand, secret: string | undefined, { id }: Citizen) {
  const ended = secret === undefined ? null : await revokeSession(tx, { secret }, now, id);
  return ended?.citizenId === id
    ? { endedSessionIds: [], continuedSessionId: ended.id }
    : { endedSessionIds: ended === null ? [] : [ended.id], continuedSessionId: null };
}

/**
 * Returns where a completed sign-in continues: at its destination, or first at a page for proofing, for cancelling the account's closure, for
 * completing the record, or for the reminder to set up a second factor. `challenge` is the code of the missing step if the application requires a
 * higher level, and `null` otherwise.
 */
export function resolveSignInDestination(
  config: Config,
  finished: {
    record: Pick<SignInRecord, 'redirect_url' | 'process_state' | 'factors'>;
    citizen: Citizen;
    interaction: PendingAuthenticationRequest | null;
    hasFactor: boolean;
  },
): { challenge: string | null; location?: string } {
  const { record, citizen, interaction, hasFactor } = finished;
  if (awaitsIdentityProofing(citizen, hasFactor)) return { challenge: null, location: proofingPagePath };
  const next =
    interaction?.resumePath ?? sanitizeRedirect(record.redirect_url, listRedirectOrigins(config.baseUrl, config));
  if (citizen.closing_at !== null)
    return { challenge: null, location: buildHref(redirectOnlyPagePaths.keepAccount, { next }) };
  const lack = findLevelShortfall(interaction?.requiredNid ?? 0, getIdentityLevel(citizen).nid, listAmrValues(record));
  if (lack !== null) return { challenge: lack };
  const reminder = buildHref(pagePaths.secondFactorReminder, {
    redirect_uri: next,
    ...(interaction !== null && record.process_state !== null && { state: record.process_state }),
  });
  // Skips the reminder for a legacy application, because such an application performs the sign-in without a browser and could not show the page.
  if (hasFactor || interaction?.legacy === true || isRestrictedCitizen(citizen))
    return { challenge: null, location: next };
  // A citizen without an e-mail address, such as one registered at a counter, must first complete the record, because the reminder offers codes by
  // e-mail.
  return {
    challenge: null,
    location: citizen.email === null ? buildHref(pagePaths.register, { next: reminder }) : reminder,
  };
}

/** Returns the proven authentication methods as URNs, as the ID Token contains them (`amr`). */
function listAmrValues(record: Pick<SignInRecord, 'factors'>): readonly string[] {
  return listCompletedChallenges(record).filter((factor) => factor.startsWith('urn:'));
}
