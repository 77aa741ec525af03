import { OperationError } from '../../platform/base/errors.ts';
import { makeEmailChange } from '../contact-data/make-email-change.ts';
import { consumeToken } from '../../trust/credentials/link-tokens.ts';
import { tryCode, useCode } from '../../trust/credentials/mailed-codes.ts';
import { pendingFactor } from '../../trust/credentials/second-factors.ts';
import { setUpBinding } from '../../trust/credentials/set-up-binding.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { activateMethod } from './activate-method.ts';
import type { Handler } from '../parts.ts';

/** Activates the e-mail method with the mailed code. With the `uuid` of a change of address, the code also proves and sets the new address. */
export const verifyEmailMethod: Handler<'verifyEmailMethod'> = async (
  { commands, store, clock, vault, passwords },
  { params, body, caller, origin },
) => {
  const { citizen, sessionId } = await ownCitizen(store.db, caller);
  const factor = await pendingFactor(store.db, citizen.id, 'email', params['method'] ?? '');
  if (factor === null) throw new OperationError(404, 'no_encontrado');
  const uuid = body.uuid || null;
  const binding = setUpBinding(factor.id, uuid);
  const wrong = new OperationError(400, 'codigo_incorrecto', { field: 'code' });
  const digest = await tryCode(store, vault, binding, body.code ?? '', clock.now());
  if (digest === null) throw wrong;
  const changeEmail = async (command: Command, secret: string) => {
    const by = await consumeToken(command.tx, 'email-code', secret, command.now);
    return by?.citizenId === citizen.id ? makeEmailChange(command, { by, caller }) : null;
  };
  const codigos = await commands.run(origin, async (command) => {
    if (!(await useCode(command.tx, binding, digest, command.now))) throw wrong;
    const owner = uuid === null ? citizen : await changeEmail(command, uuid);
    if (owner === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
    return activateMethod(command, passwords, {
      factor,
      method: challengeNames.recoveryCode,
      citizen: owner,
      sessionId,
    });
  });
  return { body: { activado: true, ...(codigos && { codigos }) } };
};
