import type { Caller } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { findCall, type VideoCall } from '../video-calls/calls.ts';
import { isOpen } from '../video-calls/room.ts';
import { isOver } from '../video-calls/states.ts';
import { deadLink, openSupportCall } from '../video-calls/support-link.ts';

/** Returns the caller's call, by the link in its mails or by the session. Somebody else's call gets the same error as an unknown one. */
export async function callOfCitizen(
  db: Store['db'] | Tx,
  id: string,
  { caller, now }: { caller: Caller | null; now: Date },
): Promise<VideoCall> {
  const elevation = caller === null ? null : await findCall(db, 'elevation', id);
  if (elevation === null) return openSupportCall(db, id, { caller, now });
  if (elevation.citizenId !== caller?.citizenId) throw deadLink();
  return elevation;
}

/** Throws unless the portal's own room for the call is open, or the call is over: a page that returns then learns how it ended. */
export function demandOpen(call: VideoCall, config: Pick<Config, 'jitsi' | 'flags'>, now: Date): void {
  if (config.jitsi !== null) throw deadLink();
  if (!isOver(call.state) && !isOpen(call, config, now)) throw new OperationError(409, 'sala_cerrada');
}
