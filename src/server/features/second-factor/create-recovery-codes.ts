import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { makeRecoveryCodes } from '../../trust/credentials/recovery-codes.ts';
import { activeFactors, isActive } from '../../trust/credentials/second-factors.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { demandFactor } from './demand-factor.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';

/** Replaces the recovery codes of a citizen with a second factor. The new ones are shown only once. */
export function createRecoveryCodes({
  commands,
  vault,
}: {
  commands: Commands;
  vault: Vault;
}): Handler<'createRecoveryCodes'> {
  return async ({ caller, origin }) => {
    const codigos = await commands.run(origin, async ({ tx, now, audit, notify }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const active = await activeFactors(tx, citizen.id);
      if (!isActive(active)) throw new OperationError(409, 'sin_segundo_factor');
      await demandFactor(tx, sessionId, active);
      await endOthers(tx, citizen.id, now, sessionId);
      await audit('recovery-codes-renewed', citizen.id);
      await notify('recovery-codes-renewed', citizen, { sessionId });
      return makeRecoveryCodes(tx, vault, citizen.id, now);
    });
    return { body: { codigos } };
  };
}
