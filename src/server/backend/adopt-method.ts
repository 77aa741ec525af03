import type { JsonObject } from '../../engine/core/json.ts';
import type { Language } from '../../api/portal-config.ts';
import { endOthers } from '../broker/end-others.ts';
import { raiseSession } from '../broker/raise-session.ts';
import type { NoticeName } from '../mail/templates.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import type { Citizen } from '../store/citizens.ts';
import type { Tx } from '../store/open-store.ts';
import { dropRecoveryCodes, makeRecoveryCodes } from '../store/recovery-codes.ts';
import { sendNotice } from './notice-mail.ts';
import type { Undo } from './undo.ts';

/** A change of a citizen's second factors, and from where it was made. */
export interface MethodChange {
  readonly citizen: Citizen;
  readonly sessionId: string;
  readonly address: string;
  readonly requestId: string;
  readonly language: Language;
  /** As the audit log and the mail to the citizen name it. */
  readonly action: string & NoticeName;
  readonly details: JsonObject;
}

/** What follows a new second factor: ends what was proven without it, and tells the citizen; answers the recovery codes of the first one. */
export async function adoptMethod(
  tx: Tx, parts: Parts, change: MethodChange & { readonly method: string; readonly isFirst: boolean; readonly undo: Undo },
): Promise<string[] | null> {
  const { citizen, sessionId, method, isFirst, undo } = change;
  await endAndTell(tx, parts, change, undo);
  await raiseSession(tx, { id: sessionId, citizen, method });
  return isFirst ? makeRecoveryCodes(tx, parts.vault, citizen.id, parts.clock.now()) : null;
}

/** What follows a second factor that was removed; with the last one the recovery codes go. */
export async function dropMethod(tx: Tx, parts: Parts, change: MethodChange & { readonly isLast: boolean }): Promise<void> {
  if (change.isLast) await dropRecoveryCodes(tx, change.citizen.id);
  await endAndTell(tx, parts, change);
}

async function endAndTell(tx: Tx, parts: Parts, change: MethodChange, undo?: Undo): Promise<void> {
  const { citizen, sessionId, address, requestId, language, action, details } = change;
  const now = parts.clock.now();
  await endOthers(tx, citizen.id, now, sessionId);
  await appendAudit(tx, { at: now, action, citizenId: citizen.id, address, requestId, details });
  await sendNotice(tx, parts, { name: action, citizen, language, ...(undo && { undo }) });
}
