import type { Handler } from '../../platform/base/operation-request.ts';
import { voidCodes } from '../../trust/credentials/mailed-codes.ts';
import { tellApplications } from '../../trust/federation/oidc/end-session.ts';
import type { Oidc } from '../../trust/federation/oidc/open-oidc.ts';
import { endGrants, takeApplications } from '../../trust/federation/oidc/session-clients.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { closeChallenges } from '../../trust/sessions/challenge-record.ts';
import { revokeSessions } from '../../trust/sessions/sessions.ts';

interface Needs {
  readonly commands: Commands;
  readonly vault: Vault;
  readonly oidc: Oidc;
}

/** Ends every session but the one of the call, with all that applications got in them, and sign-ins that are under way. */
export function endOtherSessions({ commands, vault, oidc }: Needs): Handler<'endOtherSessions'> {
  return async ({ caller, origin }) => {
    const { cerradas, taken } = await commands.run(origin, async ({ tx, now, audit }) => {
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
      await audit('other-sessions-ended', citizen.id, { sessions: ended.length });
      return { cerradas: ended.length, taken: sessions };
    });
    return { body: { cerradas }, after: async () => void (await tellApplications({ oidc }, taken)) };
  };
}
