import type { HandlerContext } from '../handler-context.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay, secondsPerHour } from '../../platform/base/fixed-periods.ts';
import { createInternalChangeOrigin } from '../../platform/base/change-origin.ts';
import { findVideoCallById, findVideoCall, storeCallTransition } from './call-records.ts';
import type { CallKind } from '../../platform/base/call-kind.ts';
import { undecidedCallStates, findCallTransition, waitingElevationStates } from './call-states.ts';

/** Lead times of the reminders, in order, in seconds. */
const reminderLeadTimesS = [secondsPerDay, secondsPerHour];
/** Time after its end at which a call without a decision fails, in seconds. It leaves time for late decisions. */
const decisionGraceS = 2 * secondsPerHour;

type Dependencies = Pick<HandlerContext, 'store' | 'commands' | 'callMails'>;

const systemOrigin = createInternalChangeOrigin('system', 'video-calls');

/**
 * Ends expired and missed calls, and sends due reminders. After each call, `renew` renews the job's lease. It throws if the lease is lost, which
 * stops the processing.
 */
export async function processDueCalls(dependencies: Dependencies, now: Date, renew?: () => Promise<void>) {
  const pending = dependencies.store.db
    .selectFrom('video_calls')
    .select(['id', 'kind', 'state'])
    .where('place', 'is not', null);
  const acts: (() => Promise<void>)[] = [];
  for (const found of await pending.where('confirm_by', '<=', now).execute())
    acts.push(() => endCall(dependencies, found, ...selectExpiryTransition(found)));
  for (const [sent, beforeS] of reminderLeadTimesS.entries()) {
    const due = pending
      .where('state', 'in', undecidedCallStates)
      .where('reminders', '<=', sent)
      .where('starts_at', '<=', addSeconds(now, beforeS))
      .where('starts_at', '>', now);
    for (const found of await due.execute()) acts.push(() => sendReminder(dependencies, found, sent + 1));
  }
  const missed = pending
    .where('state', 'in', undecidedCallStates)
    .where('ends_at', '<=', addSeconds(now, -decisionGraceS));
  for (const found of await missed.execute()) acts.push(() => endCall(dependencies, found, 'fail', 'nobody came'));
  const failed: unknown[] = []; // a failed action does not stop the others
  for (const act of acts) {
    await act().catch((error: unknown) => failed.push(error));
    await renew?.();
  }
  if (failed.length > 0)
    throw new AggregateError(failed, `${failed.length} of ${acts.length} calls could not be moved`);
}

interface DueCall {
  readonly id: string;
  readonly kind: CallKind;
  readonly state: string;
}

function selectExpiryTransition({ kind, state }: DueCall): ['lapse' | 'expire' | 'overlook', string] {
  if (kind === 'support') return ['lapse', 'not confirmed'];
  return state === waitingElevationStates.acceptance ? ['expire', 'terms not accepted'] : ['overlook', 'not verified'];
}

async function endCall({ commands, callMails }: Dependencies, { id }: DueCall, act: string, reason: string) {
  await commands.run(systemOrigin, async (command) => {
    const call = await findVideoCallById(command.tx, id);
    const transition = call === null ? null : findCallTransition(call.kind, act);
    if (call === null || transition === null) return;
    const ended = await storeCallTransition(command, call, act, transition, { reason });
    if (ended !== null) await callMails.sendTransitionMail(command, ended, act);
  });
}

/** Sends a reminder and counts it in the same transaction, so that concurrent replicas send it only once. */
async function sendReminder({ commands, callMails }: Dependencies, { id, kind }: DueCall, count: number) {
  await commands.run(systemOrigin, async (command) => {
    const { numUpdatedRows } = await command.tx
      .updateTable('video_calls')
      .set({ reminders: count })
      .where('id', '=', id)
      .where('reminders', '<', count)
      .where('state', 'in', undecidedCallStates)
      .executeTakeFirst();
    const call = numUpdatedRows === 0n ? null : await findVideoCall(command.tx, kind, id);
    if (call !== null) await callMails.sendBookingMail(command, 'call-reminder', call);
  });
}
