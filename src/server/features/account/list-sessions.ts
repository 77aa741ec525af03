import type { Language } from '../../../contract/portal-config.ts';
import { maskIpAddress } from '../../platform/base/ip-addresses.ts';
import { describeDevice } from '../../platform/base/client-device.ts';
import { readSessionApplications } from '../../trust/federation/oidc/link-oidc-sessions.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { buildLiveSessionCondition } from '../../trust/sessions/broker-sessions.ts';
import { createAccountReadHandler, type HandlerContext } from '../handler-context.ts';

export const getSessions = createAccountReadHandler<'getSessions'>(
  async ({ citizen, sessionId }, { origin: { language } }, context) => ({
    sesiones: await listLiveSessions(context, { citizenId: citizen.id, sessionId, language }),
    pendientes: await listPendingSignIns(context, citizen.id, language),
  }),
);

/** Maximum number of listed sessions, because each session needs a query for its applications. */
const maxListedSessions = 100;

export async function listLiveSessions(
  { store, clock, oidc }: HandlerContext,
  { citizenId, sessionId, language }: { citizenId: string; sessionId: string; language: Language },
) {
  const rows = await store.db
    .selectFrom('broker_sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'seen_at', 'oidc_uid'])
    .where('citizen_id', '=', citizenId)
    .where(buildLiveSessionCondition(clock.now()))
    .orderBy(({ eb }) => eb('id', '=', sessionId), 'desc')
    .orderBy('seen_at', 'desc')
    .limit(maxListedSessions)
    .execute();
  return Promise.all(
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
}

async function listPendingSignIns({ store, clock }: HandlerContext, citizenId: string, language: Language) {
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
