import type { Answer } from '../../../contract/contract.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { emailToValidate } from '../contact-data/email-to-validate.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { citizenAnswer } from '../../trust/identity/citizen-answer.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { permissionsOf } from '../../trust/identity/permissions.ts';
import { isProven } from '../../trust/sessions/identity-proof.ts';
import { callAnswer } from '../video-calls/answers.ts';
import { newestCalls } from '../video-calls/calls.ts';
import { entryOf } from '../video-calls/room.ts';
import { isOver } from '../video-calls/states.ts';

/** What a record is read with. */
export interface RecordNeeds {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
}

/** A citizen as the portal is told: the record, the address that waits for validation, and what the session of who asks has proven. */
export async function citizenRecord(
  { store: { db }, ...proof }: RecordNeeds,
  citizen: Citizen,
  caller: Caller | null,
): Promise<Answer<'getCitizen'>> {
  const { elevation, support } = await newestCalls(db, citizen.id);
  return citizenAnswer(citizen, {
    pendingEmail: await emailToValidate(db, citizen),
    proven: await isProven(proof, db, caller?.sessionId ?? ''),
    factorDue: caller?.factorDue ?? false,
    sessionNid: caller?.nid ?? 0,
    permissions: permissionsOf(proof.config, citizen),
    call: elevation
      ? { ...callAnswer(elevation), ...(await entryOf(elevation, proof.config, proof.clock.now())) }
      : null,
    supportCall: support && !isOver(support.state) ? callAnswer(support) : null,
  });
}
