import { tellApplications } from '../federation/oidc/end-session.ts';
import { endGrants, takeApplications } from '../federation/oidc/session-clients.ts';
import { revokeOwnSession } from '../sessions/sessions.ts';
import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** Ends one session of the citizen, with all that applications got in it; they are told after the answer. */
export function endSessionOf(parts: Parts): Handler<'endSession'> {
  const { store, clock, vault } = parts;
  return async ({ params, caller, address, requestId }) => {
    const ended = await store.transaction(async (tx) => {
      const { citizen } = await ownCitizen(tx, caller);
      const session = await revokeOwnSession(tx, citizen.id, params['session'] ?? '', clock.now());
      if (session === null) throw new CallError(404, 'no_encontrado');
      const taken = await takeApplications(tx, vault, [session.oidcUid]);
      await endGrants(tx, taken);
      await appendAudit(tx, { at: clock.now(), action: 'session-ended', citizenId: citizen.id, address, requestId });
      return taken;
    });
    return { body: {}, after: async () => void (await tellApplications(parts, ended)) };
  };
}
