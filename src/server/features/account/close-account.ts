import { constants } from '../../../contract/constants.ts';
import type { Answer } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { redirectOnlyPages } from '../../../contract/pages.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { readableTime } from '../../platform/mail/templates.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { dropJourneys } from '../saved-flows/saved-flows.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';
import { revokeSessions } from '../../trust/sessions/revoke-sessions.ts';
import type { Handler } from '../parts.ts';

const graceS = constants.closureGraceDays * 24 * 60 * 60;

/** Schedules the deletion and ends sessions, consents and grants at once. The password stays, so that the citizen can still keep the account. */
export const closeAccount: Handler<'closeAccount'> = async ({ commands, tellEnds }, { caller, origin }) => {
  const { closing, ended } = await commands.run(origin, async (command) => {
    const { citizen, sessionId } = await ownCitizen(command.tx, caller);
    if (citizen.closing_at !== null)
      throw new OperationError(409, 'cierre_ya_pedido', { next: redirectOnlyPages.keepAccount });
    const begun = await beginClosure(command, citizen, sessionId);
    await command.audit('closure-requested', citizen.id);
    return begun;
  });
  return {
    body: closureAnswer(closing, origin.language),
    after: async () => void (await tellEnds(ended.map(({ id }) => id))),
  };
};

/** Schedules the deletion and ends sessions, consents, grants and saved flows. Returns the day and the ended sessions. */
export async function beginClosure(
  { tx, now, notify, when }: Command,
  citizen: Citizen,
  sessionId: string | null,
): Promise<{ readonly closing: Date; readonly ended: Awaited<ReturnType<typeof revokeSessions>> }> {
  const closing = after(now, graceS);
  await notify('closure-requested', citizen, { sessionId, values: { day: when(closing) } });
  await tx.updateTable('citizens').set({ closing_at: closing }).where('id', '=', citizen.id).execute();
  const ended = await revokeSessions(tx, citizen.id, now);
  await endOthers(tx, citizen.id, now, null);
  await tx.deleteFrom('consents').where('citizen_id', '=', citizen.id).execute();
  await dropJourneys(tx, citizen.id);
  return { closing, ended };
}

export function closureAnswer(day: Date | null, language: Language): Answer<'getClosure'> {
  return { fecha: day?.toISOString() ?? null, dia: day && readableTime(day, language) };
}
