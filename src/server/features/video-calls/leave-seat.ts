import type { Tx } from '../../platform/database/open-store.ts';
import type { RoomSeatTable } from '../../platform/database/room-tables.ts';
import { keepMeeting } from './meetings.ts';

/** Frees a seat of the room of a call: whoever sat there got up, or has the call no more. */
export async function leaveSeat(
  tx: Tx,
  { callId, seat }: { readonly callId: string; readonly seat: RoomSeatTable['seat'] },
): Promise<void> {
  await keepMeeting(tx, callId);
  await tx
    .updateTable('room_seats')
    .set({ client: null })
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .execute();
}
