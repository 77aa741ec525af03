import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { stopMediaTracks, openCameraAndMicrophone } from './media-devices.ts';
import { isFinalRoomPhase, RoomConnection, type VideoRoomState } from './room-connection.ts';
import type { SignalingChannel } from './signaling-channel.ts';

export interface RoomSeatOptions {
  readonly wire: SignalingChannel;
  readonly side: 'citizen' | 'agent';
  /** Whether this tab was in the room before a reload. If so, it re-enters automatically. */
  readonly wasInside: boolean;
  readonly onInsideChange: (inside: boolean) => void;
}

/** Hook for the page's seat in the room. `seated` is `null` outside the room. `left`: the user has left the room. */
export function useRoomConnection({ wire, side, wasInside, onInsideChange }: RoomSeatOptions) {
  const [seated, setSeated] = useState<{ readonly room: RoomConnection; readonly own: MediaStream } | null>(null);
  const [left, setLeft] = useState(false);
  const [returning] = useState(wasInside);
  const readState = (): VideoRoomState | null => seated?.room.state ?? null;
  const state = useSyncExternalStore(seated?.room.subscribe ?? subscribeToNothing, readState, readState);
  const enter = (own: MediaStream): void => {
    const room = new RoomConnection(wire, side, own);
    setLeft(false);
    setSeated({ room, own });
    onInsideChange(true);
    void room.enter();
  };
  const goIn = useEffectEvent(enter);
  const goOut = useEffectEvent(() => onInsideChange(false));
  useEffect(() => {
    if (!returning) return undefined;
    let here = true;
    void openCameraAndMicrophone().then((opened) => {
      if (typeof opened !== 'object') return; // does not enter the room; the device check shows why no device could be opened
      if (here) goIn(opened.stream);
      else stopMediaTracks(opened.stream); // closes the devices, because the component was unmounted while they were opened
    });
    return () => void (here = false);
  }, [returning]);
  useEffect(() => {
    if (seated === null) return undefined;
    const leave = (): void => seated.room.leave(true);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      seated.room.leave();
      stopMediaTracks(seated.own);
    };
  }, [seated]);
  const ended = state !== null && isFinalRoomPhase(state.phase);
  useEffect(() => {
    if (!ended || seated === null) return;
    stopMediaTracks(seated.own);
    goOut();
  }, [ended, seated]);
  return {
    seated: seated !== null && state !== null ? { ...seated, ...state } : null,
    left,
    enter,
    leave(): void {
      setLeft(true);
      setSeated(null);
      onInsideChange(false);
    },
    again: async (): Promise<void> => {
      const opened = await openCameraAndMicrophone();
      if (typeof opened === 'object') enter(opened.stream);
    },
  };
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
