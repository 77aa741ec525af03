import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { tables } from './tables.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import { askStill, attendRoom, enterOutsideRoom, getStill, signalFromDesk } from './agent-seat.ts';
import { enterRoom, sendStill, signalRoom, waitForAgent, type RoomNeeds } from './citizen-seat.ts';
import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

const limits = limitsOf({
  /** Opening of streams. A page opens one, and another after a reload or a lost connection. Many citizens and agents share an address. */
  stream: { address: { free: 120, windowS: 60 }, document: { free: 30, windowS: 60 } },
  room: { address: { free: 6_000, windowS: hourS } },
});

export const topic = { handlers: videoRoomHandlers, texts, limits, tables } as const satisfies Topic;

function videoRoomHandlers(needs: RoomNeeds) {
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
