import type { Language } from '../../api/portal-config.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import type { Citizen } from '../store/citizens.ts';
import type { Tx } from '../store/open-store.ts';
import { activateFactor, activeFactors, isActive, type SecondFactor } from '../store/second-factors.ts';
import { adoptMethod } from './adopt-method.ts';

/** A factor whose code was right just now, and whose it is. */
interface Verified {
  readonly factor: SecondFactor;
  /** Assurance key of the method, which the session has proven by that code. */
  readonly method: string;
  readonly citizen: Citizen;
  readonly sessionId: string;
  readonly address: string;
  readonly requestId: string;
  readonly language: Language;
}

/** Activates a second factor, ends what was proven without it, and tells the citizen; answers the recovery codes of the first one. */
export async function activateMethod(tx: Tx, parts: Parts, { factor, ...verified }: Verified): Promise<string[] | null> {
  const isFirst = !isActive(await activeFactors(tx, verified.citizen.id));
  if (!await activateFactor(tx, factor, parts.clock.now())) throw new CallError(404, 'no_encontrado');
  return adoptMethod(tx, parts, { ...verified, isFirst, action: 'second-factor-added', details: { kind: factor.kind }, undo: { factor: factor.id } });
}
