import { constants } from '../../contract/constants.ts';
import type { Answer } from '../../contract/contract.ts';
import type { Language } from '../../contract/portal-config.ts';
import { endOthers } from '../sessions/end-others.ts';
import { tellApplications } from '../federation/oidc/end-session.ts';
import { takeApplications } from '../federation/oidc/session-clients.ts';
import { revokeSessions } from '../sessions/sessions.ts';
import type { Handler } from '../base/call.ts';
import { after } from '../base/clock.ts';
import { CallError } from '../base/errors.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import { portalPages } from '../base/portal-pages.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { sendNotice } from '../notices/notice-mail.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

const graceS = constants.closureGraceDays * 24 * 60 * 60;

/**
 * Sets the day on which the account is deleted, and ends at once what acts in its name: every session, this one included, consents,
 * and what applications hold. The password stays: within the grace a sign-in asks whether the account is kept. A wish that stands
 * already is not put off.
 */
export function closeAccount(parts: Parts): Handler<'closeAccount'> {
  const { store, clock, vault } = parts;
  return async ({ caller, address, requestId, language }) => {
    const { closing, taken } = await store.transaction(async (tx) => {
      const now = clock.now();
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      if (citizen.closing_at !== null) throw new CallError(409, 'cierre_ya_pedido', { next: portalPages.keepAccount });
      const day = after(now, graceS);
      await sendNotice(tx, parts, {
        name: 'closure-requested',
        citizen,
        language,
        sessionId,
        values: { day: readableTime(day, language) },
      });
      await tx.updateTable('citizens').set({ closing_at: day }).where('id', '=', citizen.id).execute();
      const ended = await revokeSessions(tx, citizen.id, now);
      const sessions = await takeApplications(
        tx,
        vault,
        ended.map(({ oidcUid }) => oidcUid),
      );
      await endOthers(tx, citizen.id, now, null);
      await tx.deleteFrom('consents').where('citizen_id', '=', citizen.id).execute();
      await appendAudit(tx, { at: now, action: 'closure-requested', citizenId: citizen.id, address, requestId });
      return { closing: day, taken: sessions };
    });
    return { body: closureAnswer(closing, language), after: async () => void (await tellApplications(parts, taken)) };
  };
}

/** When an account is deleted, as the portal is told. */
export function closureAnswer(day: Date | null, language: Language): Answer<'getClosure'> {
  return { fecha: day?.toISOString() ?? null, dia: day && readableTime(day, language) };
}
