import type { Handler } from '../../../platform/base/operation-request.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import { ownCitizen } from '../../identity/own-citizen.ts';
import type { Commands } from '../../notices/commands.ts';
import { revokeClient } from '../clients/consents.ts';

/** Revokes an application's access. Another citizen's consent gets the same answer as an unknown one. */
export function revokeApplication({ commands }: { commands: Commands }): Handler<'revokeApplication'> {
  return async ({ params, caller, origin }) => {
    await commands.run(origin, async ({ tx, audit, notify }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const consent = await tx
        .selectFrom('consents')
        .select('client_id')
        .where('id', '=', params['consent'] ?? '')
        .where('citizen_id', '=', citizen.id)
        .executeTakeFirst();
      if (consent === undefined || !(await revokeClient(tx, citizen.id, consent.client_id)))
        throw new OperationError(404, 'no_encontrado');
      await audit('application-revoked', citizen.id, { client: consent.client_id });
      await notify('application-revoked', citizen, { sessionId });
    });
    return { body: {} };
  };
}
