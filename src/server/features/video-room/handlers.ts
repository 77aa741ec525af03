import type { Handlers } from '../../platform/base/operation-request.ts';
import { askStill, attendRoom, enterOutsideRoom, getStill, signalFromDesk } from './agent-seat.ts';
import { enterRoom, sendStill, signalRoom, waitForAgent, type RoomNeeds } from './citizen-seat.ts';

export function videoRoomHandlers(needs: RoomNeeds) {
  return {
    enterRoom: enterRoom(needs),
    waitForAgent: waitForAgent(needs),
    signalRoom: signalRoom(needs),
    sendStill: sendStill(needs),
    attendRoom: attendRoom(needs),
    enterOutsideRoom: enterOutsideRoom(needs),
    signalFromDesk: signalFromDesk(needs),
    askStill: askStill(needs),
    getStill: getStill(needs),
  } satisfies Partial<Handlers>;
}
