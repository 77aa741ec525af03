import type { JsonObject } from '../../engine/core/json.ts';
import type { Language } from '../../contract/portal-config.ts';
import { endOthers } from '../sessions/end-others.ts';
import { raiseSession } from '../sessions/raise-session.ts';
import { CallError } from '../base/errors.ts';
import type { NoticeName } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Citizen } from '../identity/citizens.ts';
import type { Tx } from '../database/open-store.ts';
import { dropRecoveryCodes, makeRecoveryCodes } from '../credentials/recovery-codes.ts';
import { activeFactors, countFactors, isActive } from '../credentials/second-factors.ts';
import { sendNotice } from '../notices/notice-mail.ts';
import { demandsSecondFactor } from '../identity/second-factor-rule.ts';

/** A change of a citizen's second factors, and from where it is made. */
export interface MethodChange {
  readonly citizen: Citizen;
  readonly sessionId: string;
  readonly address: string;
  readonly requestId: string;
  readonly language: Language;
  /** As the audit log and the mail to the citizen name it. */
  readonly action: string & NoticeName;
}

/** Makes the change itself; answers what the audit log keeps of it. */
type Make = () => Promise<JsonObject>;

/** Adds a second factor: ends what was proven without it, and tells the citizen; answers the recovery codes of the first one. */
export async function adoptMethod(
  tx: Tx,
  parts: Parts,
  change: MethodChange & { readonly method: string },
  add: Make,
): Promise<string[] | null> {
  const { citizen, sessionId, method } = change;
  const isFirst = !isActive(await activeFactors(tx, citizen.id));
  await makeKnown(tx, parts, change, add);
  await raiseSession(tx, { id: sessionId, citizen, method });
  return isFirst ? makeRecoveryCodes(tx, parts.vault, citizen.id, parts.clock.now()) : null;
}

/** Removes one of a citizen's second factors: the last one stays where the level demands one, else the recovery codes go with it. */
export async function dropMethod(tx: Tx, parts: Parts, change: MethodChange, remove: Make): Promise<void> {
  const isLast = countFactors(await activeFactors(tx, change.citizen.id)) === 1;
  if (isLast && demandsSecondFactor(change.citizen)) throw new CallError(409, 'segundo_factor_obligatorio');
  await makeKnown(tx, parts, change, remove);
  if (isLast) await dropRecoveryCodes(tx, change.citizen.id);
}

async function makeKnown(
  tx: Tx,
  parts: Parts,
  { citizen, sessionId, address, requestId, language, action }: MethodChange,
  make: Make,
): Promise<void> {
  const now = parts.clock.now();
  await sendNotice(tx, parts, { name: action, citizen, language, sessionId });
  const details = await make();
  await endOthers(tx, citizen.id, now, sessionId);
  await appendAudit(tx, { at: now, action, citizenId: citizen.id, address, requestId, details });
}
