import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import type { Tx } from '../database/open-store.ts';
import { activateFactor, type SecondFactor } from '../credentials/second-factors.ts';
import { adoptMethod, type MethodChange } from './adopt-method.ts';

/** A factor whose code was right just now, and whose it is. */
interface Verified extends Omit<MethodChange, 'action'> {
  readonly factor: SecondFactor;
  /** Assurance key of the method, which the session has proven by that code. */
  readonly method: string;
}

/** Activates a second factor, ends what was proven without it, and tells the citizen; answers the recovery codes of the first one. */
export async function activateMethod(
  tx: Tx,
  parts: Parts,
  { factor, ...verified }: Verified,
): Promise<string[] | null> {
  return adoptMethod(tx, parts, { ...verified, action: 'second-factor-added' }, async () => {
    if (!(await activateFactor(tx, factor, parts.clock.now()))) throw new CallError(404, 'no_encontrado');
    return { kind: factor.kind };
  });
}
