import type { JsonObject } from '../../engine/core/json.ts';
import type { Agenda } from '../base/agenda.ts';
import type { Command } from '../notices/commands.ts';
import { announceCall } from './call-news.ts';
import { readCall, type VideoCall } from './calls.ts';
import { isOver, transitions, type Act, type Transition } from './states.ts';

/**
 * Moves a call by one transition of its table, and notes it; null where it is in no state for that (any more): of those who decide at once, one
 * does. An elevation's row in the audit log is its citizen's.
 */
export async function moveCall<Kind extends Agenda>(
  { tx, audit }: Command,
  call: VideoCall & { readonly kind: Kind },
  act: Act<Kind>,
  details: JsonObject = {},
): Promise<VideoCall | null> {
  const table: Readonly<Record<string, Transition>> = transitions[call.kind];
  const transition = table[act];
  if (transition === undefined) throw new Error(`no call of the ${call.kind} can ${act}`);
  const { from, to } = transition;
  const moved = await tx
    .updateTable('video_calls')
    .set(({ eb }) => ({
      state: to,
      sequence: eb('sequence', '+', 1),
      confirm_by: null,
      ...(isOver(to) && { place: null }),
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
