import type { Handlers, Handler } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { TextOf } from '../../platform/base/texts.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Applications } from '../../trust/federation/saml/applications.ts';
import type { Oidc } from '../../trust/federation/oidc/open-oidc.ts';
import type { TellEnds } from '../../trust/sessions/session-ends.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { closeAccount, closureAnswer } from './close-account.ts';
import { disavow } from './disavow.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { endSessionOf } from './end-session-of.ts';
import { exportData } from './export-data.ts';
import { getLinkedProviders, unlinkProvider } from './linked-providers.ts';
import { getSessions } from './list-sessions.ts';
import { networkOf } from '../../platform/base/addresses.ts';
import { deviceText } from '../../platform/base/device.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { citizenRecord, type RecordNeeds } from './citizen-record.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';

const most = 20;
/** Agents look at the stills of a call repeatedly. Of consecutive views only the latest is listed. */
const look = 'call-still-seen';
/** Number of rows to read. It exceeds `most` because consecutive views are merged. */
const read = 10 * most;

/** Lists the latest actions on an account, from the audit log: description, actor, device and network. */
function getActions({ store, texts }: { store: Store; texts: TextOf }): Handler<'getActions'> {
  return async ({ params, origin: { language } }) => {
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
        dispositivo:
          actor === 'agent' || userAgent === null || userAgent === '' ? null : deviceText(userAgent, language),
        red: (actor !== 'agent' && networkOf(address)) || null,
      })),
    };
  };
}

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  readonly oidc: Oidc;
  readonly tellEnds: TellEnds;
  readonly applications: Applications;
  readonly texts: TextOf;
  readonly vault: Vault;
}

export function accountHandlers(needs: Needs) {
  return {
    getCitizen: getCitizen(needs),
    getForeignCitizen: getForeignCitizen(needs),
    getSessions: getSessions(needs),
    endSession: endSessionOf(needs),
    endOtherSessions: endOtherSessions(needs),
    getActions: getActions(needs),
    exportData: exportData(needs),
    getClosure: getClosure(needs),
    closeAccount: closeAccount(needs),
    keepAccount: keepAccount(needs),
    disavow: disavow(needs),
    getLinkedProviders: getLinkedProviders(needs),
    unlinkProvider: unlinkProvider(needs),
  } satisfies Partial<Handlers>;
}

function getCitizen(needs: RecordNeeds): Handler<'getCitizen'> {
  return async ({ params, caller }) => {
    const record = await citizenRecord(needs, params['id'] ?? '', caller);
    if (record === null) throw new OperationError(404, 'no_encontrado');
    return { body: record };
  };
}

function getClosure({ store }: { store: Store }): Handler<'getClosure'> {
  return async ({ caller, origin }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    return { body: closureAnswer(citizen.closing_at, origin.language) };
  };
}

/** Returns the record of a citizen who signed in with a foreign provider. Fails with 401 if the account is gone, like every operation. */
function getForeignCitizen(needs: RecordNeeds): Handler<'getForeignCitizen'> {
  return async ({ caller }) => {
    const record = caller === null ? null : await citizenRecord(needs, caller.citizenId, caller);
    if (record === null) throw new OperationError(401, 'no_autenticado');
    return { body: record };
  };
}

/** Cancels the closure of the account. Does nothing if none is scheduled. */
function keepAccount({ commands }: { commands: Commands }): Handler<'keepAccount'> {
  return async ({ caller, origin }) => {
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
}
