import { closeChallenges } from '../sessions/challenge-record.ts';
import { tellApplications } from '../federation/oidc/end-session.ts';
import { endGrants, takeApplications } from '../federation/oidc/session-clients.ts';
import { revokeSessions } from '../sessions/sessions.ts';
import type { Handler } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { voidCodes } from '../credentials/mailed-codes.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** Ends every session but the one of the call, with all that applications got in them, and sign-ins that are under way. */
export function endOtherSessions(parts: Parts): Handler<'endOtherSessions'> {
  const { store, clock, vault } = parts;
  return async ({ caller, address, requestId }) => {
    const { cerradas, taken } = await store.transaction(async (tx) => {
      const now = clock.now();
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      await closeChallenges(tx, citizen.id, now);
      await voidCodes(tx, citizen.id);
      const ended = await revokeSessions(tx, citizen.id, now, sessionId);
      const sessions = await takeApplications(
        tx,
        vault,
        ended.map(({ oidcUid }) => oidcUid),
      );
      await endGrants(tx, sessions);
      await appendAudit(tx, {
        at: now,
        action: 'other-sessions-ended',
        citizenId: citizen.id,
        address,
        requestId,
        details: { sessions: ended.length },
      });
      return { cerradas: ended.length, taken: sessions };
    });
    return { body: { cerradas }, after: async () => void (await tellApplications(parts, taken)) };
  };
}
