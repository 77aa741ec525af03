import { mailsOf } from '../../platform/topics/mail.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
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
import type { Parts } from '../parts.ts';

declare module '../../platform/topics/mail.ts' {
  interface Mails {
    disavowed: LinkValues & Values<'support' | 'undone'>;
    /** Used if citizens do not set their passwords themselves. */
    'disavowed-contact': Values<'name' | 'contact' | 'support' | 'undone'>;
    'account-act': Values<'name' | 'when' | 'reason' | 'support' | 'permission'>;
  }
}

const mails = mailsOf(import.meta.url, {
  disavowed: 'notices',
  'disavowed-contact': 'notices',
  'account-act': 'desk',
});

const limits = limitsOf({
  export: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
  /** Every other change by a citizen. People never get there, and a script does not fill the database. */
  accountAct: { document: { free: 240, windowS: hourS } },
  changeAccount: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: hourS } },
});

export const topic = {
  handlers: {
    getCitizen,
    getForeignCitizen,
    getSessions,
    endSession: endSessionOf,
    endOtherSessions,
    getActions,
    exportData,
    getClosure,
    closeAccount,
    keepAccount,
    disavow,
    getLinkedProviders,
    unlinkProvider,
  },
  texts,
  limits,
  mails,
} as const satisfies Topic;

const most = 20;

/** Agents look at the stills of a call repeatedly. Of consecutive views only the latest is listed. */
const look = 'call-still-seen';

/** Number of rows to read. It exceeds `most` because consecutive views are merged. */
const read = 10 * most;

/** Lists the latest actions on an account, from the audit log: description, actor, device and network. */
function getActions({ store, texts }: Parts): Handler<'getActions'> {
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

function getCitizen(needs: RecordNeeds): Handler<'getCitizen'> {
  return async ({ params, caller }) => {
    const record = await citizenRecord(needs, params['id'] ?? '', caller);
    if (record === null) throw new OperationError(404, 'no_encontrado');
    return { body: record };
  };
}

function getClosure({ store }: Parts): Handler<'getClosure'> {
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
function keepAccount({ commands }: Parts): Handler<'keepAccount'> {
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
