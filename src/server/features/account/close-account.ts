import { constants } from '../../../contract/constants.ts';
import type { Answer } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { serverPages } from '../../../contract/pages.ts';
import type { TellEnds } from '../../trust/sessions/session-ends.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { readableTime } from '../../platform/mail/templates.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { dropJourneys } from '../saved-flows/saved-flows.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';
import { revokeSessions } from '../../trust/sessions/revoke-sessions.ts';

const graceS = constants.closureGraceDays * 24 * 60 * 60;

interface Needs {
  readonly commands: Commands;
  readonly tellEnds: TellEnds;
}

/**
 * Sets the day on which the account is deleted, and ends at once what acts in its name: every session, this one included, consents,
 * and what applications hold; and what was begun and saved goes. The password stays: within the grace a sign-in asks whether the account is kept. A wish that stands
 * already is not put off.
 */
export function closeAccount({ commands, tellEnds }: Needs): Handler<'closeAccount'> {
  return async ({ caller, origin }) => {
    const { closing, ended } = await commands.run(origin, async ({ tx, now, audit, notify, when }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      if (citizen.closing_at !== null)
        throw new OperationError(409, 'cierre_ya_pedido', { next: serverPages.keepAccount });
      const day = after(now, graceS);
      await notify('closure-requested', citizen, { sessionId, values: { day: when(day) } });
      await tx.updateTable('citizens').set({ closing_at: day }).where('id', '=', citizen.id).execute();
      const sessions = await revokeSessions(tx, citizen.id, now);
      await endOthers(tx, citizen.id, now, null);
      await tx.deleteFrom('consents').where('citizen_id', '=', citizen.id).execute();
      await dropJourneys(tx, citizen.id);
      await audit('closure-requested', citizen.id);
      return { closing: day, ended: sessions };
    });
    return {
      body: closureAnswer(closing, origin.language),
      after: async () => void (await tellEnds(ended.map(({ id }) => id))),
    };
  };
}

/** When an account is deleted, as the portal is told. */
export function closureAnswer(day: Date | null, language: Language): Answer<'getClosure'> {
  return { fecha: day?.toISOString() ?? null, dia: day && readableTime(day, language) };
}
