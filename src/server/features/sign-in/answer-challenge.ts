import type { ReplyHandler, HandlerContext } from '../handler-context.ts';
import type { OperationRequest, OperationReply } from '../../platform/base/operation-request.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { OperationError, addRefusalLogFacts, InvalidBodyError } from '../../platform/base/errors.ts';
import {
  findActiveSecondFactors,
  hasActiveSecondFactor,
  noActiveFactors,
} from '../../trust/credentials/second-factors.ts';
import { listRedirectOrigins, sanitizeRedirect } from '../../../contract/sanitize-redirect.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import { getIdentityLevel } from '../../trust/identity/assurance-levels.ts';
import { formatFullName, type Citizen, maskEmail } from '../../trust/identity/citizens.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import {
  advanceSignInRecord,
  signInLifeS,
  createSignInExpiredError,
  findSupersededSignIn,
  isSignInExpiredError,
  listCompletedChallenges,
  findSignInRecord,
  findSignInRefusalReason,
  beginSignInStepAttempt,
  type SignInRecord,
  type AttemptedSignInRecord,
} from '../../trust/sessions/sign-in-record.ts';
import {
  type SignInChallenge,
  type SignInChallengeDependencies,
  type SignInChallengeLimit,
  type StartedSignIn,
  type ChallengeProof,
  type SignInChallengeRequest,
} from './challenges/challenge.ts';
import type { AdmittedInsert, LimitedAttempt } from '../../trust/abuse/attempt-throttle.ts';
import { findChallengeByName, selectNextChallenge } from './challenges/select-challenge.ts';
import { passkeySignInChallenge } from './challenges/passkey.ts';
import {
  countAuthenticatorFailure,
  clearFailuresOfProvenFactors,
  unfinishedSignInCounter,
} from '../../trust/notices/authenticator-failures.ts';
import {
  loadSignInContext,
  completeSignIn,
  findSignInObstacle,
  resolveSignInDestination,
  type SignInDependencies,
} from './complete-sign-in.ts';
import { sessionAttemptLimits } from '../../trust/sessions/index.ts';
import { buildDocumentThrottleKey } from '../../trust/sessions/known-devices.ts';
import { findLiveSessionOfCookie } from '../../trust/sessions/broker-sessions.ts';

type Answer = OperationReply<'answerChallenge'> & OperationReply<'getPasskeyOptions'>;

type AnswerDependencies = SignInChallengeDependencies & SignInDependencies & Pick<HandlerContext, 'pendingRequests'>;

export const answerChallenge: ReplyHandler<'answerChallenge'> = async (dependencies, asked) => {
  const { store, clock } = dependencies;
  if (asked.body.challenge === null && asked.body.data_challenge === null)
    return { body: { challenge: challengeNames.username, token: null } };
  const request = addRequestDefaults(asked);
  const { body, cookies } = request;
  const challenge = await findAnsweredChallenge(dependencies, request);
  if (challenge?.open && !(challenge.answer && body.token)) {
    const count = async (change?: AdmittedInsert) =>
      void (await countSignInAttempt(dependencies, request, sessionAttemptLimits.challenge, { change }));
    const opened = challenge.open(dependencies, request, count);
    return createStartReply(dependencies, await opened.catch(rethrowWithFacts(dependencies, request, challenge, null)));
  }
  if (!challenge?.answer) throw new OperationError(400, 'paso_desconocido', { field: 'challenge' });
  let record: AttemptedSignInRecord | null = null;
  try {
    record = await beginSignInStepAttempt(store, {
      step: challenge.name,
      secret: body.token,
      browser: cookies.challenge,
      device: cookies.device,
      back: challenge.answer.isReturn?.(body.data_challenge) === true,
      now: clock.now(),
    });
    const verified = await verifyChallengeAnswer(dependencies, challenge.answer, request, record);
    return await advanceSignIn(dependencies, request, record, verified);
  } catch (error) {
    const signedIn = isSignInExpiredError(error) ? await findOtherTabSession(dependencies, request) : null;
    return signedIn ?? rethrowWithFacts(dependencies, request, challenge, record)(error);
  }
};

/** Starts a sign-in with a passkey. The response is the same for everybody, because the request identifies no account. */
export const getPasskeyOptions: ReplyHandler<'getPasskeyOptions'> = async (dependencies, request) => {
  const body = { challenge: null, data_challenge: null, extra: request.query };
  const startRequest = addRequestDefaults({ ...request, body });
  const opened = await passkeySignInChallenge.open(dependencies, startRequest, async () => {}); // counts nothing, because the operation's rate limit already counts the request
  return createStartReply(dependencies, opened);
};

function rethrowWithFacts(
  { store, clock, pendingRequests }: AnswerDependencies,
  { body, cookies }: SignInChallengeRequest,
  { name: step }: SignInChallenge,
  attempted: AttemptedSignInRecord | null,
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof OperationError || error instanceof InvalidBodyError)) throw error;
    const attempt = { step, secret: body.token, browser: cookies.challenge, now: clock.now() };
    const refused =
      attempted === null && isSignInExpiredError(error) ? await findSignInRefusalReason(store, attempt) : null;
    const record = attempted ?? refused?.record;
    const state = record ? record.process_state : body.extra?.process_state;
    const client = state == null ? undefined : (await pendingRequests.findRequest(state))?.clientId;
    throw addRefusalLogFacts(error, { step, client, account: record?.citizen_id ?? null, reason: refused?.reason });
  };
}

function addRequestDefaults(request: OperationRequest<'answerChallenge'>): SignInChallengeRequest {
  const { challenge, data_challenge } = request.body;
  const defaults = { challenge: challenge ?? challengeNames.username, data_challenge: data_challenge ?? {} };
  return { ...request, body: { ...request.body, ...defaults } };
}

/** Returns where to continue after a sign-in in another tab. Checks no factor, because the response grants no access beyond that session's. */
async function findOtherTabSession(
  { store, clock, config, pendingRequests }: AnswerDependencies,
  { body, cookies }: SignInChallengeRequest,
): Promise<Answer | null> {
  if (cookies.session === undefined || !body.token) return null;
  const session = await findLiveSessionOfCookie(store.db, cookies.session, clock.now());
  const record = session && (await findSupersededSignIn(store, body.token, session.id));
  if (!record || record.agent === '1') return null;
  const interaction = record.process_state === null ? null : await pendingRequests.findRequest(record.process_state);
  const location =
    interaction?.resumePath ?? sanitizeRedirect(record.redirect_url, listRedirectOrigins(config.baseUrl, config));
  return { body: { challenge: null, token: null, location } };
}

/** Returns the challenge that a request answers. Clients may answer some challenges under the name of another challenge. */
async function findAnsweredChallenge({ store, clock }: AnswerDependencies, { body }: SignInChallengeRequest) {
  const requestedChallenge = findChallengeByName(body.challenge);
  for (const step of requestedChallenge?.answer?.listAnsweredChallenges?.(body.data_challenge) ?? [])
    if (await findSignInRecord(store, step, body.token ?? '', clock.now())) return findChallengeByName(step);
  return requestedChallenge;
}

function createStartReply({ clock }: AnswerDependencies, { browser, ...started }: StartedSignIn): Answer {
  return {
    body: { ...started, expires_at: addSeconds(clock.now(), signInLifeS).toISOString() },
    cookies: { challenge: { value: browser, maxAge: signInLifeS } },
  };
}

/** Counts an attempt towards a limit. Returns the counted attempt, which a success reverts. */
export async function countSignInAttempt(
  { throttle, clock }: Pick<SignInChallengeDependencies, 'throttle' | 'clock'>,
  { origin: { address } }: Pick<SignInChallengeRequest, 'origin'>,
  limit: SignInChallengeLimit,
  { record, change }: { readonly record?: AttemptedSignInRecord; readonly change?: AdmittedInsert | undefined },
): Promise<LimitedAttempt> {
  const document =
    record && 'document' in limit.kinds && buildDocumentThrottleKey(record.document, record.known_device);
  const counted = { address, ...(document && { document }) };
  const checks = record && 'checks' in limit.kinds && { checks: record.document }; // not in the result: a success reverts the counts in the result, but not this one
  await throttle.admit(limit, { ...counted, ...checks }, clock.now(), change);
  return { limit, counted };
}

/** Verifies an answer. Returns the proof, and the counted attempts, which a success reverts. */
export async function verifyChallengeAnswer(
  dependencies: SignInChallengeDependencies,
  { limit, verifyAnswer }: NonNullable<SignInChallenge['answer']>,
  request: SignInChallengeRequest,
  record: AttemptedSignInRecord,
): Promise<{ readonly proof: ChallengeProof; readonly tries: readonly LimitedAttempt[] }> {
  const tries: LimitedAttempt[] = [];
  const proof = await verifyAnswer(dependencies, request, record, async () => {
    if (limit) tries.push(await countSignInAttempt(dependencies, request, limit, { record }));
  });
  return { proof, tries };
}

/** Advances the sign-in, or completes it with a session. Reveals that an account is blocked or inactive only after its password was verified. */
async function advanceSignIn(
  dependencies: AnswerDependencies,
  request: SignInChallengeRequest,
  record: AttemptedSignInRecord,
  { proof, tries }: Awaited<ReturnType<typeof verifyChallengeAnswer>>,
): Promise<Answer> {
  const { commands, store, throttle, config, pendingRequests } = dependencies;
  const { address } = request.origin;
  const proven = addProof(record, proof);
  const interaction = record.process_state === null ? null : await pendingRequests.findRequest(record.process_state);
  const wish = {
    byMail: proof.byMail === true,
    otherMethod: proof.otherMethod === true || interaction?.legacy === true,
  };
  // Determines the expected next challenge before the transaction, to count the attempt towards its limit. The transaction determines the next
  // challenge again. Assumes a second factor if the proof identifies another citizen, because `record.has_factor` is about the citizen of the record.
  const hasOtherCitizen = proof.citizen !== undefined && proof.citizen.id !== record.citizen_id;
  const expected = await findNextChallenge(store.db, proven, {
    ...wish,
    hasFactor: record.has_factor || hasOtherCitizen,
    resetAt: record.password_reset_at,
  });
  const limit = expected.challenge?.offer?.limit;
  if (limit) await countSignInAttempt(dependencies, request, limit, { record: { ...record, ...proven } });
  const outcome = await commands.run(request.origin, async (command) => {
    const { tx } = command;
    const identified = { ...record, citizen_id: proven.citizen_id };
    const signInContext = await loadSignInContext(tx, identified, request.cookies.device);
    const { citizen, hasFactor, passwordResetAt, device } = signInContext;
    await proof.applyProof(tx, signInContext);
    const obstacle = findSignInObstacle(citizen);
    if (obstacle) {
      await command.audit('sign-in-refused', citizen.id, { reason: obstacle.code });
      return { obstacle: addRefusalLogFacts(obstacle, { account: citizen.id }) };
    }
    const situation = { ...wish, hasFactor, resetAt: passwordResetAt };
    const { challenge, active, mailedCode } = await findNextChallenge(tx, proven, situation);
    if (!challenge) {
      const forgiven = { proven: listCompletedChallenges(proven), browser: device };
      if (record.failed_attempts.length > 0) await clearFailuresOfProvenFactors(tx, citizen.id, forgiven);
      return { citizen, active, signedIn: await completeSignIn(command, dependencies, request, proven, signInContext) };
    }
    const unfinished = { citizenId: citizen.id, authenticator: unfinishedSignInCounter, browser: device };
    if (proof.factor === challengeNames.password && hasActiveSecondFactor(active))
      await countAuthenticatorFailure(command, unfinished);
    const { offer } = challenge;
    if (offer?.limit !== undefined && offer.limit !== limit) throw createSignInExpiredError(); // the account has changed since the count, and needs a challenge with another limit
    const next = { ...proven, step: challenge.name };
    await advanceSignInRecord(tx, record, next);
    const offered = await offer?.prepare(command, dependencies, { record: next, citizen, active, mailedCode, device });
    const isReset = active.email !== null && !mailedCode;
    return { citizen, offered: { challenge: challenge.name, ...offered, ...(isReset && { reset: true }) } };
  });
  await throttle.forgive(
    ...tries,
    ...(outcome.signedIn ? [{ limit: sessionAttemptLimits.challenge, counted: { address } }] : []),
  );
  if (outcome.obstacle) throw outcome.obstacle;
  const { citizen, offered, signedIn, active } = outcome;
  const token = request.body.token ?? null;
  if (offered)
    return { body: { ...describePerson(citizen), token, expires_at: record.expires_at.toISOString(), ...offered } };
  const finished = { record: proven, citizen, interaction, hasFactor: hasActiveSecondFactor(active) };
  const following = resolveSignInDestination(config, finished);
  return {
    // Returns the consumed token if the level is insufficient, because the pages on which the sign-in continues need it.
    body: {
      ...describePerson(citizen),
      token: following.challenge === null ? null : token,
      ...following,
      ...(signedIn.recoveryCodesLeft !== undefined && { recovery_codes_left: signedIn.recoveryCodesLeft }),
    },
    cookies: signedIn.cookies,
    after: signedIn.after,
  };
}

function addProof(record: SignInRecord, proof: ChallengeProof): SignInRecord {
  return {
    ...record,
    citizen_id: proof.citizen?.id ?? record.citizen_id,
    document: proof.citizen?.document ?? record.document,
    factors: [...listCompletedChallenges(record), proof.factor].filter((factor) => factor !== null).join(' '),
    institutional_email: proof.institutionalEmail ?? record.institutional_email,
    agent: proof.asAgent ? '1' : record.agent,
  };
}

async function findNextChallenge(
  db: DatabaseStore['db'],
  record: SignInRecord,
  { hasFactor, resetAt, ...wish }: { byMail: boolean; otherMethod: boolean; hasFactor: boolean; resetAt: Date | null },
) {
  const active = hasFactor ? await findActiveSecondFactors(db, record.citizen_id ?? '') : noActiveFactors;
  const isReset = resetAt !== null && listCompletedChallenges(record).includes(challengeNames.password);
  const mailedCode = active.email !== null && !isReset;
  return { challenge: selectNextChallenge({ record, active, mailedCode, ...wish }), active, mailedCode };
}

function describePerson(citizen: Citizen) {
  return {
    name: formatFullName(citizen),
    level: getIdentityLevel(citizen).trust,
    ...(citizen.email === null ? {} : { email: maskEmail(citizen.email) }),
  };
}
