import type { Selectable } from 'kysely';
import { addSeconds } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';
import { addSharedRoomTime } from '../video-calls/room-attendance.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import { findVideoCall, type VideoCall } from '../video-calls/call-records.ts';
import { isCallRoomOpen, createInvalidCallLinkError, findSupportCall } from '../video-calls/call-access.ts';
import { isFinalCallState } from '../video-calls/call-states.ts';

export type RoomSeat = Database['room_seats']['seat'];

/** Time after a page's last presence signal at which its seat counts as empty, in seconds. An open stream sends three signals in this time. */
const presenceLifeS = 45;

export interface SeatOccupant {
  readonly callId: string;
  readonly seat: RoomSeat;
  /** Random id that the page generated for itself. */
  readonly client: string;
  readonly agentId?: string;
}

export function getOppositeSeat(seat: RoomSeat): RoomSeat {
  return seat === 'citizen' ? 'agent' : 'citizen';
}

/**
 * Gives a seat to a page, even if another tab occupies it. Returns the number of the last signal that the page must not get, because the page already
 * received this signal, or it was meant for the other tab.
 */
export async function takeRoomSeat(tx: Tx, owner: SeatOccupant, known: number, now: Date): Promise<number> {
  const { callId, seat, client, agentId = null } = owner;
  const before = await tx
    .selectFrom('room_seats')
    .selectAll()
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .executeTakeFirst();
  const stays = findPresentClient(before, now) !== null && before?.agent_id === agentId;
  if (!stays) await addSharedRoomTime(tx, callId);
  const taken = { client, seen_at: now, agent_id: agentId, taken_at: stays ? (before?.taken_at ?? now) : now };
  await tx
    .insertInto('room_seats')
    .values({ call_id: callId, seat, ...taken })
    .onConflict((conflict) => conflict.columns(['call_id', 'seat']).doUpdateSet(taken))
    .execute();
  const heard = before?.client === client ? Math.min(known, before.sequence) : (before?.sequence ?? 0);
  await tx
    .deleteFrom('room_signals')
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .where('number', '<=', heard)
    .execute();
  return heard;
}

export async function assertOccupiesSeat(tx: Tx, { callId, seat, client }: SeatOccupant): Promise<void> {
  const row = await tx
    .selectFrom('room_seats')
    .select('client')
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .executeTakeFirst();
  if (row?.client !== client) throw new OperationError(409, 'sala_en_otra_pagina');
}

/** Records that a page is still present. Does nothing if another page has taken its seat. */
export async function renewSeatPresence(db: DatabaseStore['db'], { callId, seat, client }: SeatOccupant, now: Date) {
  await db
    .updateTable('room_seats')
    .set({ seen_at: now })
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .where('client', '=', client)
    .execute();
}

export async function findRoomOccupants(db: DatabaseStore['db'], callId: string, now: Date) {
  const rows = await db.selectFrom('room_seats').selectAll().where('call_id', '=', callId).execute();
  const [citizen, agent] = (['citizen', 'agent'] as const).map((seat) => rows.find((row) => row.seat === seat));
  return { citizen: findPresentClient(citizen, now), agent: findPresentClient(agent, now) };
}

function findPresentClient(row: Selectable<Database['room_seats']> | undefined, now: Date): string | null {
  return row === undefined || addSeconds(row.seen_at, presenceLifeS) < now ? null : row.client;
}

/** Returns a call of the caller. Throws the same error for another person's call and for an unknown call. */
export async function findCallOfCitizen(
  db: DatabaseStore['db'],
  id: string,
  { caller, now }: { caller: Caller | null; now: Date },
): Promise<VideoCall> {
  const elevation = caller === null ? null : await findVideoCall(db, 'elevation', id);
  if (elevation === null) return findSupportCall(db, id, { caller, now });
  if (elevation.citizenId !== caller?.citizenId) throw createInvalidCallLinkError();
  return elevation;
}

/** Throws if the portal's own room is closed, unless the call is over, so that a page that reconnects can show how it ended. */
export function assertRoomOpen(call: VideoCall, config: Pick<Config, 'jitsi' | 'flags'>, now: Date): void {
  if (config.jitsi !== null) throw createInvalidCallLinkError();
  if (!isFinalCallState(call.state) && !isCallRoomOpen(call, config, now))
    throw new OperationError(409, 'sala_cerrada');
}
