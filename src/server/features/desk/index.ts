import { hourS } from '../../platform/base/periods.ts';
import { nameLimits } from '../../platform/topics/limit.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { actOnAccount, findAccount, startEmailChange } from './accounts.ts';
import { decideDeskCall, keepChecklist, getColleagues, handOverCall, takeCall } from './decide.ts';
import { actOnForeignRecord } from './foreign-records.ts';
import { getDeskCall } from './get-call.ts';
import { getFigures } from './figures.ts';
import { dropDeskDate, getDeskHours, setDeskDate, setDeskWeek } from './hours.ts';
import { answerMessage, getDeskMessages, readFeedback } from './messages.ts';
import { watchDesk } from './watch-desk.ts';
import { documentId, typedDocument } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { formatOfficialDate, isDate } from '../../../contract/written/dates.ts';
import { findAgent, atDesk } from './agent.ts';
import { listDeskCalls, deskCallsOn, listed } from './desk-call.ts';
import type { Handler } from '../parts.ts';

export const topic = {
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
    findAccount,
    actOnAccount,
    actOnForeignRecord,
    startEmailChange,
    getDeskHours,
    setDeskWeek,
    setDeskDate,
    dropDeskDate,
    getDeskMessages,
    answerMessage,
    readFeedback,
    getFigures,
  }),
  texts,
  limits: nameLimits({
    /** Look-ups per agent. Acts have a separate limit, because they also reveal whether an account exists. */
    lookUp: { document: { free: 60, windowS: hourS } },
    deskAct: { document: { free: 60, windowS: hourS } },
  }),
} as const satisfies Topic;

/** Lists the calls of a date or of a document. A document counts as a look-up of a person. Audits each request. */
const getDeskDay: Handler<'getDeskDay'> = async ({ commands, clock, throttle, limits }, { query, caller, origin }) => {
  if (query['documento'] && caller !== null)
    await throttle.admit(limits.lookUp, { document: caller.document }, clock.now());
  return commands.run(atDesk(origin), async ({ tx, audit }) => {
    const agent = await findAgent(tx, caller);
    const date = query['fecha'] || formatOfficialDate(clock.now());
    if (!isDate(date)) throw new OperationError(400, 'fecha_invalida', { field: 'fecha' });
    const typed = query['documento'] ?? '';
    const document = typed === '' ? null : typedDocument(typed);
    const calls = document === null ? await deskCallsOn(tx, date) : await listDeskCalls(tx, document);
    await audit('calls-shown', null, {
      agent: agent.signature,
      ...(document === null ? { date } : { document: documentId(document) }),
    });
    return { body: { fecha: date, llamadas: calls.map((call) => listed(call, agent, clock)) } };
  });
};

const getDesk: Handler<'getDesk'> = async ({ store, config }, { caller }) => {
  const { id, name, actions } = await findAgent(store.db, caller);
  return { body: { id, nombre: name, permisos: [...actions], segundo_agente: config.elevationSecondAgent } };
};
