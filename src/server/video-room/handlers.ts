import type { Handlers } from '../base/call.ts';
import { enterRoom, sendStill, signalRoom, type RoomNeeds } from './citizen-seat.ts';

/** The calls of the room that a call by video takes place in. */
export function videoRoomHandlers(needs: RoomNeeds): Pick<Handlers, 'enterRoom' | 'signalRoom' | 'sendStill'> {
  return { enterRoom: enterRoom(needs), signalRoom: signalRoom(needs), sendStill: sendStill(needs) };
}
