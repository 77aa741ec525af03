import type { Answer } from '../../../contract/contract.ts';
import type { OperationRequest } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { activeFactors, type FactorKind } from '../../trust/credentials/second-factors.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { dropMethod } from './adopt-method.ts';

/** Common part of the requests for both kinds. */
type Request = Pick<OperationRequest<'deleteTotp'>, 'params' | 'caller' | 'origin'>;

/** Removes the app or the e-mail method, unless it is the last second factor and the level requires one. */
export function deleteMethod(
  { commands }: { commands: Commands },
  kind: FactorKind,
): (request: Request) => Promise<{ readonly body: Answer<'deleteTotp'> }> {
  return async ({ params, caller, origin }) => {
    await commands.run(origin, async (command) => {
      const { tx } = command;
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const factor = (await activeFactors(tx, citizen.id))[kind];
      if (factor === null || factor.id !== params['method']) throw new OperationError(404, 'no_encontrado');
      const change = { citizen, sessionId, action: 'second-factor-removed', isMailed: kind === 'email' } as const;
      await dropMethod(command, change, async () => {
        await tx.deleteFrom('second_factors').where('citizen_id', '=', citizen.id).where('kind', '=', kind).execute();
        return { kind };
      });
    });
    return { body: {} };
  };
}
