import { nameMails } from '../../platform/topics/mail.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { hourS } from '../../platform/base/periods.ts';
import { nameLimits } from '../../platform/topics/limit.ts';
import { closeAccount, closureAnswer } from './close-account.ts';
import { disavow } from './disavow.ts';
import { exportData } from './export-data.ts';
import { getSessions } from './list-sessions.ts';
import { maskAddress } from '../../platform/base/addresses.ts';
import { deviceText } from '../../platform/base/device.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { citizenRecord } from './citizen-record.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Handler, Parts } from '../parts.ts';
import { voidCodes } from '../../trust/credentials/mailed-codes.ts';
import { endGrants, endedApplications } from '../../trust/federation/oidc/session-link.ts';
import { closeChallenges } from '../../trust/sessions/challenge-record.ts';
import { revokeSessions, revokeOwnSession } from '../../trust/sessions/revoke-sessions.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { refuseIdentities } from '../../trust/federation/upstream/identities.ts';

export const topic = {
  handlers: () => ({
    getCitizen,
    getForeignCitizen,
    getSessions,
    endSession: endSession,
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
  limits: nameLimits({
    export: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
    /** All other changes by a citizen. People never reach this limit, and it keeps a script from filling the database. */
    accountAct: { document: { free: 240, windowS: hourS } },
    changeAccount: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: hourS } },
  }),
  mails: nameMails(import.meta.url, {
    disavowed: 'notices',
    'disavowed-contact': 'notices',
    'account-act': 'desk',
  }),
} as const satisfies Topic;

declare module '../../platform/topics/mail.ts' {
  interface Mails {
    disavowed: LinkValues & Values<'support' | 'undone'>;
    /** Used if citizens do not set their passwords themselves. */
    'disavowed-contact': Values<'name' | 'contact' | 'support' | 'undone'>;
    'account-act': Values<'name' | 'when' | 'reason' | 'support' | 'permission'>;
  }
}

const most = 20;

/** Audit action of an agent who views a still, which agents do repeatedly. Of consecutive views, only the latest is listed. */
const look = 'call-still-seen';

/** Number of rows to read. It exceeds `most` because consecutive views are merged. */
const read = 10 * most;

/** Lists the latest actions on an account, from the audit log: description, actor, device and network. */
const getActions: Handler<'getActions'> = async ({ store, texts }, { params, origin: { language } }) => {
  const rows = await store.db
    .selectFrom('audit')
    .select(['seq', 'at', 'action', 'actor', 'address', 'user_agent'])
    .where('citizen_id', '=', params['id'] ?? '')
    .orderBy('seq', 'desc')
    .limit(read)
    .execute();
  const told = rows.filter(({ action }, at) => action !== look || rows[at - 1]?.action !== look).slice(0, most);
  return {
    body: told.map(({ seq, at, action, actor, address, user_agent: userAgent }) => ({
      id: String(seq),
      timestamp_access: at.toISOString(),
      descripcion: texts(`accion_${action}`, language),
      responsable: texts(`responsable_${actor ?? 'unidentified'}`, language),
      // an agent's device and network are internal, and only in the log
      dispositivo: actor === 'agent' || userAgent === null || userAgent === '' ? null : deviceText(userAgent, language),
      red: (actor !== 'agent' && maskAddress(address)) || null,
    })),
  };
};

const getCitizen: Handler<'getCitizen'> = async (dependencies, { params, caller }) => {
  const record = await citizenRecord(dependencies, params['id'] ?? '', caller);
  if (record === null) throw new OperationError(404, 'no_encontrado');
  return { body: record };
};

const getClosure: Handler<'getClosure'> = async ({ store }, { caller, origin }) => {
  const { citizen } = await ownCitizen(store.db, caller);
  return { body: closureAnswer(citizen.closing_at, origin.language) };
};

/** Returns the record of a citizen who signed in with a foreign provider. Fails with 401 if the account is gone, like every operation. */
const getForeignCitizen: Handler<'getForeignCitizen'> = async (dependencies, { caller }) => {
  const record = caller === null ? null : await citizenRecord(dependencies, caller.citizenId, caller);
  if (record === null) throw new OperationError(401, 'no_autenticado');
  return { body: record };
};

/** Cancels the closure of the account. Does nothing if none is scheduled. */
const keepAccount: Handler<'keepAccount'> = async ({ commands }, { caller, origin }) => {
  await commands.run(origin, async ({ tx, audit, notify }) => {
    const { citizen, sessionId } = await ownCitizen(tx, caller);
    const kept = await tx
      .updateTable('citizens')
      .set({ closing_at: null })
      .where('id', '=', citizen.id)
      .where('closing_at', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (kept === undefined) return;
    await audit('closure-cancelled', citizen.id);
    await notify('closure-cancelled', citizen, { sessionId });
  });
  return { body: {} };
};

/** Ends all sessions except the caller's, the grants of their applications, and sign-ins in progress. */
const endOtherSessions: Handler<'endOtherSessions'> = async ({ commands, vault, tellEnds }, { caller, origin }) => {
  const ended = await commands.run(origin, async ({ tx, now, audit }) => {
    const { citizen, sessionId } = await ownCitizen(tx, caller);
    await closeChallenges(tx, citizen.id, now);
    await voidCodes(tx, citizen.id);
    const others = await revokeSessions(tx, citizen.id, now, sessionId);
    await endGrants(tx, await endedApplications(tx, vault, others));
    await audit('other-sessions-ended', citizen.id, { sessions: others.length });
    return others;
  });
  return { body: { cerradas: ended.length }, after: async () => void (await tellEnds(ended.map(({ id }) => id))) };
};

/** Ends one of the citizen's sessions and the grants of its applications. The applications are notified after the response. */
const endSession: Handler<'endSession'> = async ({ commands, vault, tellEnds }, { params, caller, origin }) => {
  const ended = await commands.run(origin, async ({ tx, now, audit }) => {
    const { citizen } = await ownCitizen(tx, caller);
    const session = await revokeOwnSession(tx, citizen.id, params['session'] ?? '', now);
    if (session === null) throw new OperationError(404, 'no_encontrado');
    await endGrants(tx, await endedApplications(tx, vault, [session]));
    await audit('session-ended', citizen.id);
    return session;
  });
  return { body: {}, after: async () => void (await tellEnds([ended.id])) };
};

const getLinkedProviders: Handler<'getLinkedProviders'> = async ({ config, store }, { caller }) => {
  const { citizen } = await ownCitizen(store.db, caller);
  return { body: await linkedTo(store.db, config, citizen.id) };
};

/** Unlinks a provider and ends the sessions started with it, except the caller's. To link it again, the citizen must sign in with another method. */
const unlinkProvider: Handler<'unlinkProvider'> = async (
  { commands, config, tellEnds, vault },
  { params, caller, origin },
) => {
  const idp = params['provider'] ?? '';
  const { left, ended } = await commands.run(origin, async ({ tx, now, audit, notify }) => {
    const { citizen, sessionId } = await ownCitizen(tx, caller);
    const found = (await linkedTo(tx, config, citizen.id)).find(({ identificador }) => identificador === idp);
    if (found === undefined) throw new OperationError(404, 'no_encontrado');
    await notify('provider-unlinked', citizen, { sessionId, values: { provider: found.nombre } });
    await refuseIdentities(tx, citizen.id, now, idp);
    const sessions = await revokeSessions(tx, citizen.id, now, sessionId, idp);
    await endGrants(tx, await endedApplications(tx, vault, sessions));
    await audit('provider-unlinked', citizen.id, { idp, sessions: sessions.length });
    return { left: await linkedTo(tx, config, citizen.id), ended: sessions };
  });
  return { body: left, after: async () => void (await tellEnds(ended.map(({ id }) => id))) };
};

async function linkedTo(
  db: Store['db'] | Tx,
  { identityProviders }: Pick<Parts, 'commands' | 'config' | 'tellEnds' | 'store' | 'vault'>['config'],
  citizenId: string,
): Promise<{ identificador: string; nombre: string; desde: string }[]> {
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
