import type { Handler } from '../../platform/base/operation-request.ts';
import { voidCodes } from '../../trust/credentials/mailed-codes.ts';
import { endGrants, endedApplications } from '../../trust/federation/oidc/session-clients.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { closeChallenges } from '../../trust/sessions/challenge-record.ts';
import { revokeSessions } from '../../trust/sessions/revoke-sessions.ts';
import type { Parts } from '../parts.ts';

/** Ends all sessions except the caller's, the grants of their applications, and sign-ins in progress. */
export function endOtherSessions({ commands, vault, tellEnds }: Parts): Handler<'endOtherSessions'> {
  return async ({ caller, origin }) => {
    const ended = await commands.run(origin, async ({ tx, now, audit }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      await closeChallenges(tx, citizen.id, now);
      await voidCodes(tx, citizen.id);
      const others = await revokeSessions(tx, citizen.id, now, sessionId);
      await endGrants(tx, await endedApplications(tx, vault, others));
      await audit('other-sessions-ended', citizen.id, { sessions: others.length });
      return others;
    });
    return { body: { cerradas: ended.length }, after: async () => void (await tellEnds(ended.map(({ id }) => id))) };
  };
}
