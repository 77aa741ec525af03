import { formatDateTimeInWords } from '../../../contract/format/dates.ts';

import type { Citizen } from '../../trust/identity/citizens.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';

import { portalConstants } from '../../../contract/constants.ts';
import type { OperationResponse } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay } from '../../platform/base/fixed-periods.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { deleteSavedProgress } from '../saved-flows/index.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { revokeSessionsOfCitizen } from '../../trust/sessions/revoke-sessions.ts';
import { createAccountCommandHandler } from '../handler-context.ts';

/** Schedules the closure of the caller's account. The password stays valid, so that the citizen can sign in and cancel the closure. */
export const closeAccount = createAccountCommandHandler<'closeAccount'>(async (command, { origin }, { notifyEnds }) => {
  const { audit, citizen, now, sessionId } = command;
  if (citizen.closing_at !== null)
    throw new OperationError(409, 'cierre_ya_pedido', { next: redirectOnlyPagePaths.keepAccount });
  const { closing, ended } = await scheduleAccountClosure(command, citizen, sessionId);
  await audit('closure-requested', citizen.id);
  return {
    body: toClosureResponse(closing, origin.language, now),
    after: async () => void (await notifyEnds(ended.map(({ id }) => id))),
  };
});

export async function scheduleAccountClosure(
  { tx, now, notify, when }: DatabaseCommand,
  citizen: Citizen,
  sessionId: string | null,
) {
  const closing = addSeconds(now, portalConstants.closureGraceDays * secondsPerDay);
  await notify('closure-requested', citizen, { sessionId, values: { day: when(closing) } });
  await tx.updateTable('citizens').set({ closing_at: closing }).where('id', '=', citizen.id).execute();
  const ended = await revokeSessionsOfCitizen(tx, citizen.id, now);
  await revokeOtherAccess(tx, citizen.id, now, null);
  await tx.deleteFrom('consents').where('citizen_id', '=', citizen.id).execute();
  await deleteSavedProgress(tx, citizen.id);
  return { closing, ended };
}

export function toClosureResponse(day: Date | null, language: Language, now: Date): OperationResponse<'getClosure'> {
  return { fecha: day?.toISOString() ?? null, dia: day && formatDateTimeInWords(day, language, now) };
}
