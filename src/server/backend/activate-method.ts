import type { Language } from '../../api/portal-config.ts';
import { endOthers } from '../broker/end-others.ts';
import { raiseSession } from '../broker/raise-session.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import type { Citizen } from '../store/citizens.ts';
import type { Tx } from '../store/open-store.ts';
import { makeRecoveryCodes } from '../store/recovery-codes.ts';
import { activateFactor, activeFactors, isActive, type SecondFactor } from '../store/second-factors.ts';
import { sendNotice } from './notice-mail.ts';

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
export async function activateMethod(tx: Tx, parts: Parts, verified: Verified): Promise<string[] | null> {
  const { factor, method, citizen, sessionId, address, requestId, language } = verified;
  const now = parts.clock.now();
  const isFirst = !isActive(await activeFactors(tx, citizen.id));
  if (!await activateFactor(tx, factor, now)) throw new CallError(404, 'no_encontrado');
  await endOthers(tx, citizen.id, now, sessionId);
  await raiseSession(tx, { id: sessionId, citizen, method });
  await appendAudit(tx, { at: now, action: 'second-factor-added', citizenId: citizen.id, address, requestId, details: { kind: factor.kind } });
  await sendNotice(tx, parts, { name: 'second-factor-added', citizen, language, undo: { factor: factor.id } });
  return isFirst ? makeRecoveryCodes(tx, parts.vault, citizen.id, now) : null;
}
