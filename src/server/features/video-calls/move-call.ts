import type { JsonObject } from '../../../engine/core/json.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { announceCall, readCall, type VideoCall, newestCalls } from './calls.ts';
import { isOver, findTransition, type Act, type Transition } from './states.ts';
import type { CallMails } from './call-mails.ts';

/** Applies a transition to a call. Returns `null` if its current state does not allow it. */
export async function moveCall<Kind extends Agenda>(
  command: Command,
  call: VideoCall & { readonly kind: Kind },
  act: Act<Kind>,
  details: JsonObject = {},
): Promise<VideoCall | null> {
  const transition = findTransition(call.kind, act);
  if (transition === null) throw new Error(`no call of the ${call.kind} can ${act}`);
  return followTransition(command, call, act, transition, details);
}

/** Applies a transition and audits it. Returns `null` if the call's current state does not allow it: of concurrent decisions, one succeeds. */
export async function followTransition(
  { tx, audit }: Command,
  call: VideoCall,
  act: string,
  { from, to }: Transition,
  details: JsonObject = {},
): Promise<VideoCall | null> {
  const moved = await tx
    .updateTable('video_calls')
    .set(({ eb }) => ({
      state: to,
      sequence: eb('sequence', '+', 1),
      confirm_by: null,
      ...(isOver(to) && { place: null, network: null }),
    }))
    .where('id', '=', call.id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst();
  if (moved === undefined) return null;
  await audit(`${call.kind}-call-${act}`, call.citizenId, { call: call.id, state: to, ...details });
  await announceCall(tx, call.id);
  return readCall(moved);
}

/** Cancels the pending elevation call of a citizen whose level was raised in another way. Frees its slot. */
export async function spareCall(command: Command, callMails: CallMails, citizenId: string): Promise<void> {
  const { elevation } = await newestCalls(command.tx, citizenId);
  const spared = elevation === undefined ? null : await moveCall(command, elevation, 'spare');
  if (spared !== null) await callMails.moved(command, spared, 'spare');
}
