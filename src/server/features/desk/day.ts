import type { Handler } from '../../platform/base/operation-request.ts';
import { documentId, typedDocument } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { dateOf, isDate } from '../../../contract/written/dates.ts';
import { agentOf, atDesk } from './agent.ts';
import { deskCallsOf, deskCallsOn, listed } from './desk-call.ts';
import type { Parts } from '../parts.ts';

/** Lists the calls of a date, or of an exact document, which counts as a look-up of a person. Audits each request. */
export function getDeskDay({ commands, clock, throttle, limits }: Parts): Handler<'getDeskDay'> {
  return async ({ query, caller, origin }) => {
    if (query['documento'] && caller !== null)
      await throttle.admit(limits.lookUp, { document: caller.document }, clock.now());
    return commands.run(atDesk(origin), async ({ tx, audit }) => {
      const agent = await agentOf(tx, caller);
      const date = query['fecha'] || dateOf(clock.now());
      if (!isDate(date)) throw new OperationError(400, 'fecha_invalida', { field: 'fecha' });
      const typed = query['documento'] ?? '';
      const document = typed === '' ? null : typedDocument(typed);
      const calls = document === null ? await deskCallsOn(tx, date) : await deskCallsOf(tx, document);
      await audit('calls-shown', null, {
        agent: agent.signature,
        ...(document === null ? { date } : { document: documentId(document) }),
      });
      return { body: { fecha: date, llamadas: calls.map((call) => listed(call, agent, clock)) } };
    });
  };
}
