import { href } from '../../api/href.ts';
import { safeRedirect } from '../../api/redirect.ts';
import { levelOf } from '../backend/citizen-answer.ts';
import type { CallRequest } from '../call.ts';
import type { Config } from '../config.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import type { Citizen } from '../store/citizens.ts';
import type { Tx } from '../store/open-store.ts';
import { closeChallenge, factorsOf, type ChallengeRecord } from './challenges/challenge-record.ts';
import { challengeNames } from './challenges/names.ts';
import { sessionLevel, shortfall } from './challenges/session-level.ts';
import type { Interaction } from './interactions.ts';
import { revokeSession, startSession } from './sessions.ts';

/** Uses a sign-in up whose every challenge was answered, and starts its session; answers the secret of the session's cookie. */
export async function signIn(
  tx: Tx, { config, clock }: Parts, request: CallRequest<'answerChallenge'>, record: ChallengeRecord, citizen: Citizen,
): Promise<string> {
  const now = clock.now();
  await closeChallenge(tx, record, now);
  if (request.cookies.session !== undefined) await revokeSession(tx, request.cookies.session, now);
  const amr = assurance(record);
  const session = await startSession(tx, {
    citizenId: citizen.id, amr, nid: sessionLevel(levelOf(citizen).nid, amr), now, lifeS: config.sessionLifeS,
    role: factorsOf(record).includes(challengeNames.institutionalEmail) ? 'agent' : 'citizen',
  });
  await tx.updateTable('citizens').set({ last_login_at: now }).where('id', '=', citizen.id).execute();
  await appendAudit(tx, {
    at: now, action: 'sign-in', citizenId: citizen.id, address: request.address, requestId: request.requestId, details: { amr: [...amr] },
  });
  return session;
}

/** Where a finished sign-in goes: on its way, to the reminder of a second factor, or nowhere when it lacks what an application asks. */
export function wayOn(
  config: Config, { record, citizen, interaction, hasFactor }:
  { record: ChallengeRecord; citizen: Citizen; interaction: Interaction | null; hasFactor: boolean },
): { challenge: string | null; location?: string } {
  const lack = shortfall(interaction?.requiredNid ?? 0, levelOf(citizen).nid, assurance(record));
  if (lack !== null) return { challenge: lack };
  const target = interaction?.redirect ?? safeRedirect(record.redirect_url, [config.baseUrl, ...config.redirectOrigins]);
  const reminder = href('/configurar-segundo-factor', {
    redirect_uri: target, ...(interaction !== null && record.process_state !== null && { state: record.process_state }),
  });
  // An application that drives the sign-in without a browser follows `location` by itself and could not show the reminder.
  return { challenge: null, location: hasFactor || interaction?.legacy === true ? target : reminder };
}

/** The answered challenges that are methods of authentication, as the ID Token names them. */
function assurance(record: ChallengeRecord): readonly string[] {
  return factorsOf(record).filter((factor) => factor.startsWith('urn:'));
}
