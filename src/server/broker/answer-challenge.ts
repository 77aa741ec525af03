import { safeRedirect } from '../../api/redirect.ts';
import { levelOf } from '../backend/citizen-answer.ts';
import type { CallRequest, Handler, Reply } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import { findCitizen, fullName, type Citizen } from '../store/citizens.ts';
import type { Tx } from '../store/open-store.ts';
import { challengeLifeS, closeChallenge, expired, tryChallenge, type ChallengeRecord } from './challenges/challenge-record.ts';
import { passwordChallenge, provePassword } from './challenges/password.ts';
import { answerUsername, usernameChallenge } from './challenges/username.ts';
import { revokeSession, startSession } from './sessions.ts';

type Request = CallRequest<'answerChallenge'>;

/** The order of sign-in: after the document, each of these in turn. The client's step name is a request, never a fact. */
const factors = [{ name: passwordChallenge, prove: provePassword }] as const;

/** Answers one sign-in challenge: the next one, or the session of who answered all of them. */
export function answerChallenge(parts: Parts): Handler<'answerChallenge'> {
  return async (request) => {
    const { challenge, token } = request.body;
    if (challenge === usernameChallenge) return start(parts, request);
    const factor = factors.find(({ name }) => name === challenge);
    if (!factor) throw new CallError(400, 'paso_desconocido', { field: 'challenge' });
    const record = await tryChallenge(parts.store, factor.name, token, request.cookies.challenge, parts.clock.now());
    const holds = await factor.prove(parts, request, record);
    return finish(parts, request, record, holds);
  };
}

async function start(parts: Parts, request: Request): Promise<Reply<'answerChallenge'>> {
  const [first] = factors;
  const { token, browser } = await answerUsername(parts, request, first.name);
  return {
    body: { challenge: first.name, token },
    cookies: { challenge: { value: browser, maxAge: challengeLifeS } },
  };
}

/** Signs the citizen in. What stands in the way is told only here, after everything was proven. */
async function finish(
  parts: Parts, request: Request, record: ChallengeRecord, holds: (tx: Tx) => Promise<boolean>,
): Promise<Reply<'answerChallenge'>> {
  const { config, throttle, store } = parts;
  const outcome = await store.transaction(async (tx) => {
    const citizen = await findCitizen(tx, record.citizen_id ?? '');
    if (citizen === null || !await holds(tx)) throw expired();
    const obstacle = obstacleOf(citizen);
    const entry = { at: parts.clock.now(), citizenId: citizen.id, address: request.address, requestId: request.requestId };
    if (obstacle) {
      await appendAudit(tx, { ...entry, action: 'sign-in-refused', details: { reason: obstacle.code } });
      return { obstacle };
    }
    await closeChallenge(tx, record, entry.at);
    if (request.cookies.session !== undefined) await revokeSession(tx, request.cookies.session, entry.at);
    const session = await startSession(tx, {
      citizenId: citizen.id, amr: [passwordChallenge], nid: 1, now: entry.at, lifeS: config.sessionLifeS,
    });
    await tx.updateTable('citizens').set({ last_login_at: entry.at }).where('id', '=', citizen.id).execute();
    await appendAudit(tx, { ...entry, action: 'sign-in' });
    return { citizen, session };
  });
  if (outcome.obstacle) throw outcome.obstacle;
  await throttle.forgive('challenge', { address: request.address });
  return {
    body: {
      challenge: null, token: null,
      location: safeRedirect(record.redirect_url, [config.baseUrl, ...config.redirectOrigins]),
      ...personOf(outcome.citizen),
    },
    cookies: { session: { value: outcome.session, maxAge: config.sessionLifeS }, challenge: null },
  };
}

function obstacleOf(citizen: Citizen): CallError | null {
  if (citizen.blocked_at !== null) return new CallError(403, 'account_blocked', { field: 'password', bare: true });
  if (citizen.active_at === null) return new CallError(403, 'account_no_activated', { field: 'password', bare: true });
  return null;
}

function personOf(citizen: Citizen): { name: string; level: string; email?: string } {
  const email = citizen.email === null ? {} : { email: masked(citizen.email) };
  return { name: fullName(citizen), level: levelOf(citizen).trust, ...email };
}

function masked(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1***');
}
