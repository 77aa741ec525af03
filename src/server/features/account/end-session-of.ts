import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { tellApplications } from '../../trust/federation/oidc/end-session.ts';
import type { Oidc } from '../../trust/federation/oidc/open-oidc.ts';
import { endGrants, takeApplications } from '../../trust/federation/oidc/session-clients.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { revokeOwnSession } from '../../trust/sessions/sessions.ts';

interface Needs {
  readonly commands: Commands;
  readonly vault: Vault;
  readonly oidc: Oidc;
}

/** Ends one session of the citizen, with all that applications got in it; they are told after the answer. */
export function endSessionOf({ commands, vault, oidc }: Needs): Handler<'endSession'> {
  return async ({ params, caller, origin }) => {
    const ended = await commands.run(origin, async ({ tx, now, audit }) => {
      const { citizen } = await ownCitizen(tx, caller);
      const session = await revokeOwnSession(tx, citizen.id, params['session'] ?? '', now);
      if (session === null) throw new OperationError(404, 'no_encontrado');
      const taken = await takeApplications(tx, vault, [session.oidcUid]);
      await endGrants(tx, taken);
      await audit('session-ended', citizen.id);
      return taken;
    });
    return { body: {}, after: async () => void (await tellApplications({ oidc }, ended)) };
  };
}
