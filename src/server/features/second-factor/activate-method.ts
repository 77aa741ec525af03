import { OperationError } from '../../platform/base/errors.ts';
import { activateFactor, type SecondFactor } from '../../trust/credentials/second-factors.ts';
import type { Passwords } from '../../trust/credentials/passwords.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { adoptMethod, type MethodChange } from './adopt-method.ts';

interface Verified extends Omit<MethodChange, 'action'> {
  readonly factor: SecondFactor;
  /** Authentication method that the code has proven for the session. */
  readonly method: string;
}

/** Activates a second factor, ends everything proven without it and notifies the citizen. Returns recovery codes if it is the first factor. */
export async function activateMethod(
  command: Command,
  passwords: Passwords,
  { factor, ...verified }: Verified,
): Promise<string[] | null> {
  return adoptMethod(command, passwords, { ...verified, action: 'second-factor-added' }, async () => {
    if (!(await activateFactor(command.tx, factor, command.now))) throw new OperationError(404, 'no_encontrado');
    return { kind: factor.kind };
  });
}
