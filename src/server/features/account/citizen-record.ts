import type { Answer } from '../../../contract/contract.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { addressToValidate } from '../contact-data/make-email-change.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { citizenAnswer } from '../../trust/identity/citizen-answer.ts';
import { selectCitizens, type Citizen, resolvePermissions } from '../../trust/identity/citizens.ts';
import { provesNow } from '../../trust/sessions/identity-proof.ts';
import { isLive } from '../../trust/sessions/sessions.ts';
import { callAnswer, newestCalls, withdrawn } from '../video-calls/calls.ts';
import { createEntry } from '../video-calls/room.ts';
import { isOver } from '../video-calls/states.ts';
import type { Parts } from '../parts.ts';

type RecordDependencies = Pick<Parts, 'store' | 'config' | 'clock'>;

/** Returns a citizen's record with the address to validate and what the caller's session has proven. Returns `null` if there is none. */
export async function citizenRecord(
  dependencies: RecordDependencies,
  id: string,
  caller: Caller | null,
): Promise<Answer<'getCitizen'> | null> {
  const { store, config, clock } = dependencies;
  const [citizen] = await findRecord(store.db, { id, sessionId: caller?.sessionId ?? '', now: clock.now() });
  if (citizen === undefined) return null;
  const { elevation, support } = citizen.has_calls ? await newestCalls(store.db, id) : {};
  return citizenAnswer(citizen, {
    pendingEmail: addressToValidate(citizen, citizen.requested_email),
    proven: provesNow(dependencies, citizen.proven_at),
    factorDue: caller?.factorDue ?? false,
    sessionNid: caller?.nid ?? 0,
    permissions: resolvePermissions(config, citizen),
    call: elevation ? { ...callAnswer(elevation), ...(await createEntry(elevation, config, clock.now())) } : null,
    supportCall: support && !isOver(support.state) ? callAnswer(support) : null,
  });
}

type Found = Citizen & {
  readonly requested_email: string | null;
  readonly proven_at: Date | null;
  readonly has_calls: boolean;
};

/** Nearly every page reads this, so it is one statement. Only citizens with booked calls need a second one. */
const findRecord = prepared<{ id: string; sessionId: string; now: Date }, Found>((db, value) =>
  selectCitizens(db)
    .select((query) => [
      query
        .selectFrom('email_changes')
        .select('email_changes.email')
        .whereRef('email_changes.citizen_id', '=', 'citizens.id')
        .limit(1)
        .as('requested_email'),
      query
        .selectFrom('broker_sessions')
        .select('broker_sessions.verified_at')
        .where('broker_sessions.id', '=', value('sessionId'))
        .where(isLive(value('now')))
        .as('proven_at'),
      query
        .exists(
          query
            .selectFrom('video_calls')
            .select('video_calls.id')
            .whereRef('video_calls.citizen_id', '=', 'citizens.id')
            .where('video_calls.state', 'not in', withdrawn),
        )
        .as('has_calls'),
    ])
    .where('citizens.id', '=', value('id')),
);
