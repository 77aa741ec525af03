import { documentId } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { citizenOfLiveToken, consumeToken } from '../../trust/credentials/link-tokens.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import { changePassword } from './change-password.ts';
import { limits } from '../../trust/credentials/index.ts';
import type { Handler } from '../parts.ts';

/** Sets a new password with a one-time mailed link. It signs nobody in. It clears the delay for sign-ins with that document. */
export const confirmPasswordReset: Handler<'confirmPasswordReset'> = async (
  { commands, store, clock, config, passwords, throttle },
  { body, origin },
) => {
  if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
  const token = body.token ?? '';
  const invalid = new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  if ((await citizenOfLiveToken(store.db, 'reset', token, clock.now())) === null) throw invalid; // avoids hashing for nothing
  const passwordHash = await passwords.hash(body.password ?? '');
  const citizen = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    const used = await consumeToken(tx, 'reset', token, now);
    const found = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
    if (used === null || found === null || found.email !== used.subject) throw invalid;
    await changePassword(command, { citizen: found, passwordHash, keep: null, isReset: true });
    await audit('reset-password', found.id);
    return found;
  });
  await throttle.forgive({ limit: limits.signIn, counted: { document: documentId(citizen) } });
  return { body: {} };
};
