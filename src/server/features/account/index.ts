import { defineMailTemplates } from '../../platform/modules/mail-templates.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import { defineAttemptLimits, allowAttemptsPerHour } from '../../platform/modules/attempt-limits.ts';
import { closeAccount, toClosureResponse } from './close-account.ts';
import { disavow } from './disavow-change.ts';
import { exportData } from './export-data.ts';
import { getSessions } from './list-sessions.ts';
import { maskIpAddress } from '../../platform/base/ip-addresses.ts';
import { describeDevice } from '../../platform/base/client-device.ts';
import { OperationError } from '../../platform/base/errors.ts';
import {
  type HandlerContext,
  createAccountCommandHandler,
  createAccountReadHandler,
  type ResponseBodyHandler,
} from '../handler-context.ts';
import { voidMailedCodes } from '../../trust/credentials/mailed-codes.ts';
import {
  revokeGrantsOfSessions,
  listApplicationsOfEndedSessions,
} from '../../trust/federation/oidc/link-oidc-sessions.ts';
import { endPendingSignIns } from '../../trust/sessions/sign-in-record.ts';
import { revokeSessionsOfCitizen, revokeSessionOfCitizen } from '../../trust/sessions/revoke-sessions.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { unlinkIdentities } from '../../trust/federation/upstream/provider-identities.ts';
import type { OperationResponse } from '../../../contract/contract.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { selectEmailToValidate } from '../contact-data/index.ts';
import { createPreparedQuery } from '../../platform/database/prepared-query.ts';
import { buildCitizenResponse } from '../../trust/identity/citizen-response.ts';
import { selectCitizens, type Citizen, resolveCitizenPermissions } from '../../trust/identity/citizens.ts';
import { isIdentityProofFresh } from '../../trust/sessions/identity-proof.ts';
import { buildLiveSessionCondition } from '../../trust/sessions/broker-sessions.ts';
import { toCallResponse, findNewestCallsOfCitizen, cancelledOrExpiredCallStates } from '../video-calls/call-records.ts';
import { createCallRoomAccess } from '../video-calls/call-access.ts';
import { isFinalCallState } from '../video-calls/call-states.ts';
import type { Config } from '../../platform/config/config.ts';

export const serverModule = {
  handlers: () => ({
    getCitizen,
    getForeignCitizen,
    getSessions,
    endSession,
    endOtherSessions,
    getActions,
    exportData,
    getClosure,
    closeAccount,
    keepAccount,
    disavow,
    getLinkedProviders,
    unlinkProvider,
  }),
  texts,
  limits: defineAttemptLimits({
    export: { address: allowAttemptsPerHour(60), document: allowAttemptsPerHour(5) },
    /** Limit of changes that have no specific limit. Normal use does not reach it. It prevents a script from filling the database. */
    accountAct: { document: allowAttemptsPerHour(240) },
    changeAccount: { address: allowAttemptsPerHour(60), document: allowAttemptsPerHour(10) },
  }),
  mails: defineMailTemplates(import.meta.url, {
    disavowed: 'notices',
    'disavowed-contact': 'notices',
    'account-act': 'desk',
  }),
} as const satisfies ServerModule;

declare module '../../platform/modules/mail-templates.ts' {
  interface MailPlaceholders {
    disavowed: LinkMailValues & MailPlaceholderValues<'support' | 'undone'>;
    'disavowed-contact': MailPlaceholderValues<'name' | 'contact' | 'support' | 'undone'>;
    'account-act': MailPlaceholderValues<'name' | 'when' | 'reason' | 'support' | 'permission'>;
  }
}

const maxListedActions = 20;

/** Audit action of an agent who views a picture from a call. Agents view pictures repeatedly, so only the latest of consecutive views is listed. */
const stillViewedAction = 'call-still-seen';

const getActions: ResponseBodyHandler<'getActions'> = async ({ store, texts }, { params, origin: { language } }) => {
  const rows = await store.db
    .selectFrom('audit')
    .select(['seq', 'at', 'action', 'actor', 'address', 'user_agent'])
    .where('citizen_id', '=', params['id'] ?? '')
    .orderBy('seq', 'desc')
    .limit(10 * maxListedActions) // more rows than are listed, because consecutive views of pictures are merged into one entry
    .execute();
  const shownRows = rows
    .filter(({ action }, at) => action !== stillViewedAction || rows[at - 1]?.action !== stillViewedAction)
    .slice(0, maxListedActions);
  return shownRows.map(({ seq, at, action, actor, address, user_agent: userAgent }) => ({
    id: String(seq),
    timestamp_access: at.toISOString(),
    descripcion: texts(`accion_${action}`, language),
    responsable: texts(`responsable_${actor ?? 'unidentified'}`, language),
    // Omits the agent's device and network, which are internal, so that only the audit log has them.
    dispositivo:
      actor === 'agent' || userAgent === null || userAgent === '' ? null : describeDevice(userAgent, language),
    red: (actor !== 'agent' && maskIpAddress(address)) || null,
  }));
};

const getCitizen: ResponseBodyHandler<'getCitizen'> = async (dependencies, { params, caller }) => {
  const record = await loadCitizenResponse(dependencies, params['id'] ?? '', caller);
  if (record === null) throw new OperationError(404, 'no_encontrado');
  return record;
};

const getClosure = createAccountReadHandler<'getClosure'>(async ({ citizen }, { origin }, { clock }) =>
  toClosureResponse(citizen.closing_at, origin.language, clock.now()),
);

const getForeignCitizen: ResponseBodyHandler<'getForeignCitizen'> = async (dependencies, { caller }) => {
  const record = caller === null ? null : await loadCitizenResponse(dependencies, caller.citizenId, caller);
  if (record === null) throw new OperationError(401, 'no_autenticado');
  return record;
};

const keepAccount = createAccountCommandHandler<'keepAccount'>(async ({ tx, audit, notify, citizen, sessionId }) => {
  const reopened = await tx
    .updateTable('citizens')
    .set({ closing_at: null })
    .where('id', '=', citizen.id)
    .where('closing_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (reopened === undefined) return;
  await audit('closure-cancelled', citizen.id);
  await notify('closure-cancelled', citizen, { sessionId });
});

/** Revokes the grants of ended sessions. Returns a function that notifies the applications of these sessions, to be called after the commit. */
async function revokeGrantsOfEndedSessions(
  tx: Tx,
  { vault, notifyEnds }: HandlerContext,
  ended: Parameters<typeof listApplicationsOfEndedSessions>[2],
) {
  await revokeGrantsOfSessions(tx, await listApplicationsOfEndedSessions(tx, vault, ended));
  return async () => void (await notifyEnds(ended.map(({ id }) => id)));
}

const endOtherSessions = createAccountCommandHandler<'endOtherSessions'>(
  async ({ tx, now, audit, citizen, sessionId }, _request, context) => {
    await endPendingSignIns(tx, citizen.id, now);
    await voidMailedCodes(tx, citizen.id);
    const ended = await revokeSessionsOfCitizen(tx, citizen.id, now, sessionId);
    await audit('other-sessions-ended', citizen.id, { sessions: ended.length });
    return { body: { cerradas: ended.length }, after: await revokeGrantsOfEndedSessions(tx, context, ended) };
  },
);

const endSession = createAccountCommandHandler<'endSession'>(
  async ({ tx, now, audit, citizen }, { params }, context) => {
    const ended = await revokeSessionOfCitizen(tx, citizen.id, params['session'] ?? '', now);
    if (ended === null) throw new OperationError(404, 'no_encontrado');
    await audit('session-ended', citizen.id);
    return { body: {}, after: await revokeGrantsOfEndedSessions(tx, context, [ended]) };
  },
);

const getLinkedProviders = createAccountReadHandler<'getLinkedProviders'>(({ citizen }, _request, { config, store }) =>
  listLinkedProviders(store.db, config, citizen.id),
);

/** Removes the link to an identity provider. To link the provider again, the citizen must sign in with another method. */
const unlinkProvider = createAccountCommandHandler<'unlinkProvider'>(
  async ({ tx, now, audit, notify, citizen, sessionId }, { params }, context) => {
    const idp = params['provider'] ?? '';
    const linked = await listLinkedProviders(tx, context.config, citizen.id);
    const found = linked.find(({ identificador }) => identificador === idp);
    if (found === undefined) throw new OperationError(404, 'no_encontrado');
    await notify('provider-unlinked', citizen, { sessionId, values: { provider: found.nombre } });
    await unlinkIdentities(tx, citizen.id, now, idp);
    const ended = await revokeSessionsOfCitizen(tx, citizen.id, now, sessionId, idp);
    await audit('provider-unlinked', citizen.id, { idp, sessions: ended.length });
    return {
      body: linked.filter((provider) => provider !== found),
      after: await revokeGrantsOfEndedSessions(tx, context, ended),
    };
  },
);

async function listLinkedProviders(db: DatabaseStore['db'], { identityProviders }: Config, citizenId: string) {
  const rows = await db
    .selectFrom('provider_identities')
    .select(({ fn }) => ['provider', fn.min('linked_at').as('since')])
    .where('citizen_id', '=', citizenId)
    .groupBy('provider')
    .orderBy('provider')
    .execute();
  return rows.map(({ provider, since }) => ({
    identificador: provider,
    nombre: identityProviders.find(({ identificador }) => identificador === provider)?.nombre ?? provider,
    desde: since.toISOString(),
  }));
}

export async function loadCitizenResponse(
  dependencies: Pick<HandlerContext, 'store' | 'config' | 'clock'>,
  id: string,
  caller: Caller | null,
): Promise<OperationResponse<'getCitizen'> | null> {
  const { store, config, clock } = dependencies;
  const [citizen] = await selectCitizenRecordRow(store.db, {
    id,
    sessionId: caller?.sessionId ?? '',
    now: clock.now(),
  });
  if (citizen === undefined) return null;
  const { elevation, support } = citizen.has_calls ? await findNewestCallsOfCitizen(store.db, id) : {};
  return buildCitizenResponse(citizen, {
    pendingEmail: selectEmailToValidate(citizen, citizen.requested_email),
    proven: isIdentityProofFresh(dependencies, citizen.proven_at),
    factorDue: caller?.factorDue ?? false,
    sessionNid: caller?.nid ?? 0,
    permissions: resolveCitizenPermissions(config, citizen),
    call: elevation
      ? { ...toCallResponse(elevation), ...(await createCallRoomAccess(elevation, config, clock.now())) }
      : null,
    supportCall: support && !isFinalCallState(support.state) ? toCallResponse(support) : null,
  });
}

type CitizenRow = Citizen & {
  readonly requested_email: string | null;
  readonly proven_at: Date | null;
  readonly has_calls: boolean;
};

/** Reads a citizen's record in a single statement, because nearly every page needs it. Only citizens with calls need a second statement. */
const selectCitizenRecordRow = createPreparedQuery<{ id: string; sessionId: string; now: Date }, CitizenRow>(
  (db, value) =>
    selectCitizens(db)
      .select((query) => [
        query
          .selectFrom('email_changes')
          .select('email_changes.email')
          .whereRef('email_changes.citizen_id', '=', 'citizens.id')
          .limit(1)
          .as('requested_email'),
        query
          .selectFrom('broker_sessions')
          .select('broker_sessions.verified_at')
          .where('broker_sessions.id', '=', value('sessionId'))
          .where(buildLiveSessionCondition(value('now')))
          .as('proven_at'),
        query
          .exists(
            query
              .selectFrom('video_calls')
              .select('video_calls.id')
              .whereRef('video_calls.citizen_id', '=', 'citizens.id')
              .where('video_calls.state', 'not in', cancelledOrExpiredCallStates),
          )
          .as('has_calls'),
      ])
      .where('citizens.id', '=', value('id')),
);
