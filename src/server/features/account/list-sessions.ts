import type { OperationAnswer } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { maskIpAddress } from '../../platform/base/ip-addresses.ts';
import { describeDevice } from '../../platform/base/device.ts';
import { readSessionApplications } from '../../trust/federation/oidc/session-link.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import { buildLiveSessionCondition } from '../../trust/sessions/sessions.ts';
import type { HandlerContext, AnswerHandler } from '../handler-context.ts';

type Sessions = OperationAnswer<'getSessions'>;

export type SessionListDependencies = Pick<HandlerContext, 'store' | 'clock' | 'oidc'>;

/**
 * Lists the citizen's active sessions, and the sign-ins that wait for a second factor. The caller's session is first. The other sessions follow by
 * last use.
 */
export const getSessions: AnswerHandler<'getSessions'> = async (dependencies, { caller, origin: { language } }) => {
  const { citizen, sessionId } = await readCallerAccount(dependencies.store.db, caller);
  return {
    sesiones: await listLiveSessions(dependencies, { citizenId: citizen.id, sessionId, language }),
    pendientes: await listPendingSignIns(dependencies, citizen.id, language),
  };
};

/** Maximum number of listed sessions, because each session needs a query for its applications. */
const maxListedSessions = 100;

export async function listLiveSessions(
  { store, clock, oidc }: SessionListDependencies,
  { citizenId, sessionId, language }: { citizenId: string; sessionId: string; language: Language },
): Promise<Sessions['sesiones']> {
  const now = clock.now();
  const rows = await store.db
    .selectFrom('broker_sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'seen_at', 'oidc_uid'])
    .where('citizen_id', '=', citizenId)
    .where(buildLiveSessionCondition(now))
    .orderBy(({ eb }) => eb('id', '=', sessionId), 'desc')
    .orderBy('seen_at', 'desc')
    .limit(maxListedSessions)
    .execute();
  const sessions = await Promise.all(
    rows.map(async ({ id, user_agent, address, created_at, seen_at, oidc_uid }) => {
      const { applications } = await readSessionApplications(oidc.provider, oidc_uid);
      const clients = await Promise.all(applications.map(({ clientId }) => oidc.clients.find(clientId)));
      return {
        id,
        dispositivo: describeDevice(user_agent, language),
        red: maskIpAddress(address),
        inicio: created_at.toISOString(),
        visto: seen_at.toISOString(),
        actual: id === sessionId,
        aplicaciones: clients.flatMap((client) => client?.registration.name ?? []).sort(),
      };
    }),
  );
  return sessions.sort((one, other) => Number(other.actual) - Number(one.actual));
}

async function listPendingSignIns(
  { store, clock }: SessionListDependencies,
  citizenId: string,
  language: Language,
): Promise<Sessions['pendientes']> {
  const rows = await store.db
    .selectFrom('challenges')
    .select(['user_agent', 'address', 'created_at', 'factors'])
    .where('citizen_id', '=', citizenId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .orderBy('created_at', 'desc')
    .execute();
  return rows
    .filter(({ factors }) => factors.split(' ').includes(challengeNames.password))
    .map(({ user_agent, address, created_at }) => ({
      dispositivo: describeDevice(user_agent, language),
      red: maskIpAddress(address),
      inicio: created_at.toISOString(),
    }));
}
