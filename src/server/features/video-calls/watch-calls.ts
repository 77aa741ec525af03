import type { Parts } from '../parts.ts';
import { after } from '../../platform/base/clock.ts';
import { ownOrigin } from '../../platform/base/origin.ts';
import { findAnyCall, findCall, followTransition } from './calls.ts';
import { findDeadline, dueStates, type DueSettings } from './decide-call.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import { awaited, findTransition, waitingStates } from './states.ts';

const hour = 60 * 60;
const day = 24 * hour;
/** Lead times of the reminders, in order, in seconds. */
const reminders = [day, hour];
/** Time after its end at which a call without a decision fails, in seconds. It allows for agents who decide late. */
const patienceS = 2 * hour;

export type WatchDependencies = Dependencies & Pick<Parts, 'clock'>;

type Dependencies = Pick<Parts, 'store' | 'commands' | 'callMails'> & { readonly config: DueSettings };

const system = ownOrigin('system', 'video-calls');

/**
 * Expires reservations, sends reminders, and ends calls that nobody verified, accepted or joined. `renew` is called between two calls, and can
 * stop the run by throwing.
 */
export async function watchCalls(dependencies: Dependencies, now: Date, renew?: () => Promise<void>): Promise<void> {
  await dateEnds(dependencies, now);
  const pending = dependencies.store.db
    .selectFrom('video_calls')
    .select(['id', 'kind', 'state'])
    .where('place', 'is not', null);
  const acts: (() => Promise<void>)[] = [];
  for (const found of await pending.where('confirm_by', '<=', now).execute())
    acts.push(() => end(dependencies, found, ...lateEnds(found)));
  for (const [sent, beforeS] of reminders.entries()) {
    const due = pending
      .where('state', 'in', awaited)
      .where('reminders', '<=', sent)
      .where('starts_at', '<=', after(now, beforeS))
      .where('starts_at', '>', now);
    for (const found of await due.execute()) acts.push(() => remind(dependencies, found, sent + 1));
  }
  const missed = pending.where('state', 'in', awaited).where('ends_at', '<=', after(now, -patienceS));
  for (const found of await missed.execute()) acts.push(() => end(dependencies, found, 'fail', 'nobody came'));
  await doAll(acts, renew);
}

/** Runs all acts. Continues after a failed one, and throws all errors together at the end. */
async function doAll(acts: readonly (() => Promise<void>)[], renew?: () => Promise<void>): Promise<void> {
  const failed: unknown[] = [];
  for (const act of acts) {
    await act().catch((error: unknown) => failed.push(error));
    await renew?.();
  }
  if (failed.length > 0)
    throw new AggregateError(failed, `${failed.length} of ${acts.length} calls could not be moved`);
}

/** Sets the missing deadline of calls that a server of the previous version approved or referred. */
async function dateEnds({ store, config }: Dependencies, now: Date): Promise<void> {
  for (const state of dueStates)
    await store.db
      .updateTable('video_calls')
      .set({ confirm_by: findDeadline(state, config, now) })
      .where('kind', '=', 'elevation')
      .where('state', '=', state)
      .where('confirm_by', 'is', null)
      .execute();
}

interface Found {
  readonly id: string;
  readonly kind: Agenda;
  readonly state: string;
}

/** Returns the transition that ends a call whose deadline has passed, and the reason for the audit log. */
function lateEnds({ kind, state }: Found): ['lapse' | 'expire' | 'overlook', string] {
  if (kind === 'support') return ['lapse', 'not confirmed'];
  return state === waitingStates.acceptance ? ['expire', 'terms not accepted'] : ['overlook', 'not verified'];
}

async function end({ commands, callMails }: Dependencies, { id }: Found, act: string, reason: string): Promise<void> {
  await commands.run(system, async (command) => {
    const call = await findAnyCall(command.tx, id);
    const transition = call === null ? null : findTransition(call.kind, act);
    if (call === null || transition === null) return;
    const ended = await followTransition(command, call, act, transition, { reason });
    if (ended !== null) await callMails.moved(command, ended, act);
  });
}

/** Sends a reminder and counts it in the same transaction, so that concurrent replicas send it only once. */
async function remind({ commands, callMails }: Dependencies, { id, kind }: Found, count: number): Promise<void> {
  await commands.run(system, async (command) => {
    const { numUpdatedRows } = await command.tx
      .updateTable('video_calls')
      .set({ reminders: count })
      .where('id', '=', id)
      .where('reminders', '<', count)
      .where('state', 'in', awaited)
      .executeTakeFirst();
    const call = numUpdatedRows === 0n ? null : await findCall(command.tx, kind, id);
    if (call !== null) await callMails.send(command, 'call-reminder', call);
  });
}
