import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { endGrants, endedApplications } from '../../trust/federation/oidc/session-clients.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { revokeOwnSession } from '../../trust/sessions/revoke-sessions.ts';
import type { Parts } from '../parts.ts';

/** Ends one of the citizen's sessions and the grants of its applications. The applications are notified after the response. */
export function endSessionOf({ commands, vault, tellEnds }: Parts): Handler<'endSession'> {
  return async ({ params, caller, origin }) => {
    const ended = await commands.run(origin, async ({ tx, now, audit }) => {
      const { citizen } = await ownCitizen(tx, caller);
      const session = await revokeOwnSession(tx, citizen.id, params['session'] ?? '', now);
      if (session === null) throw new OperationError(404, 'no_encontrado');
      await endGrants(tx, await endedApplications(tx, vault, [session]));
      await audit('session-ended', citizen.id);
      return session;
    });
    return { body: {}, after: async () => void (await tellEnds([ended.id])) };
  };
}
