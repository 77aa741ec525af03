import { defineAttemptLimits, allowAttemptsPerHour } from '../../platform/modules/attempt-limits.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import { actOnAccount, findDeskAccount, startEmailChange } from './desk-accounts.ts';
import { actOnForeignRecord } from './desk-foreign-citizens.ts';
import {
  decideDeskCall,
  keepChecklist,
  getColleagues,
  handOverCall,
  takeCall,
  listDeskCallsOfDocument,
  listDeskCallsOnDate,
  toDeskCallListItem,
} from './desk-calls.ts';
import { getDeskCall } from './get-desk-call.ts';
import { getFigures } from './call-statistics.ts';
import { dropDeskDate, getDeskHours, setDeskDate, setDeskWeek } from './desk-hours.ts';
import { answerContactMessage, listContactMessages, readFeedback } from './contact-messages.ts';
import { formatDocumentId, parseEnteredDocument } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { toUruguayIsoDate, isIsoDate } from '../../../contract/format/dates.ts';
import { findRequestingAgent, toAgentChangeOrigin } from './desk-agent.ts';
import type { ResponseBodyHandler, ReplyHandler } from '../handler-context.ts';
import { once } from 'node:events';

export const serverModule = {
  handlers: () => ({
    getDesk,
    watchDesk,
    getDeskDay,
    getDeskCall,
    takeCall,
    handOverCall,
    getColleagues,
    keepChecklist,
    decideDeskCall,
    findDeskAccount,
    actOnAccount,
    actOnForeignRecord,
    startEmailChange,
    getDeskHours,
    setDeskWeek,
    setDeskDate,
    dropDeskDate,
    getDeskMessages: listContactMessages,
    answerContactMessage,
    readFeedback,
    getFigures,
  }),
  texts,
  limits: defineAttemptLimits({
    /** Limit of account lookups. Actions have a separate limit, because an action on an account also reveals whether the account exists. */
    lookUp: { document: allowAttemptsPerHour(60) },
    deskAct: { document: allowAttemptsPerHour(60) },
  }),
} as const satisfies ServerModule;

/** Lists the calls of a date or of a document, and audits each request. A request by document counts towards the rate limit of account lookups. */
const getDeskDay: ResponseBodyHandler<'getDeskDay'> = async (
  { commands, clock, throttle, limits },
  { query, caller, origin },
) => {
  if (query['documento'] && caller !== null)
    await throttle.admit(limits.lookUp, { document: caller.document }, clock.now());
  return commands.run(toAgentChangeOrigin(origin), async ({ tx, audit }) => {
    const agent = await findRequestingAgent(tx, caller);
    const date = query['fecha'] || toUruguayIsoDate(clock.now());
    if (!isIsoDate(date)) throw new OperationError(400, 'fecha_invalida', { field: 'fecha' });
    const typed = query['documento'] ?? '';
    const document = typed === '' ? null : parseEnteredDocument(typed);
    const calls = document === null ? await listDeskCallsOnDate(tx, date) : await listDeskCallsOfDocument(tx, document);
    await audit('calls-shown', null, {
      agent: agent.signature,
      ...(document === null ? { date } : { document: formatDocumentId(document) }),
    });
    return { fecha: date, llamadas: calls.map((call) => toDeskCallListItem(call, agent, clock)) };
  });
};

const getDesk: ResponseBodyHandler<'getDesk'> = async ({ store, config }, { caller }) => {
  const { id, name, actions } = await findRequestingAgent(store.db, caller);
  return { id, nombre: name, permisos: [...actions], segundo_agente: config.elevationSecondAgent };
};

export const watchDesk: ReplyHandler<'watchDesk'> = async ({ store }) => ({
  body: { numero: 0 },
  events: async (emit, signal) => {
    let number = 0;
    const stop = await store.notifications.subscribe('desk', () => emit({ numero: (number += 1) })); // a database trigger notifies of changes of calls
    emit({ numero: number }); // makes the desk fetch the changes that it missed before the subscription
    if (!signal.aborted) await once(signal, 'abort');
    stop();
  },
});
