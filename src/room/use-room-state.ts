import { useSyncExternalStore } from 'react';
import type { Room, RoomState } from './room.ts';

/** What a room shows now. */
export function useRoomState(room: Room): RoomState {
  const state = () => room.state;
  return useSyncExternalStore(room.subscribe, state, state);
}
