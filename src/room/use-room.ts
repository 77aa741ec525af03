import { useEffect, useSyncExternalStore } from 'react';
import type { Room, RoomState } from './room.ts';

/** What a room shows now. */
export function useRoomState(room: Room): RoomState {
  const state = () => room.state;
  return useSyncExternalStore(room.subscribe, state, state);
}

/** Leaves the room when the page goes. */
export function useLeaveOnHide(room: Room): void {
  useEffect(() => {
    const leave = (): void => room.leave(true);
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [room]);
}
