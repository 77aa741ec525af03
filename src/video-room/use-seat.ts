import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { closeDevices, openDevices } from './devices.ts';
import { isEnded, Room, type RoomState } from './room.ts';
import type { RoomWire } from './wire.ts';

/** A page on a seat, with its own picture and sound. */
export interface Seated {
  readonly room: Room;
  readonly own: MediaStream;
}

/** What a page's way in and out of a room needs. */
export interface SeatOptions {
  readonly wire: RoomWire;
  readonly side: 'citizen' | 'agent';
  /** The page was in the room before it was loaded anew: it goes in again by itself. */
  readonly inside: boolean;
  /** The page is in the room, or has left it. */
  readonly onInside: (inside: boolean) => void;
}

/** The way of a page into the room and out of it, and how the room stands; `seated` is null where the page is outside, `left`: it was inside. */
export function useSeat({ wire, side, inside, onInside }: SeatOptions) {
  const [seated, setSeated] = useState<Seated | null>(null);
  const [left, setLeft] = useState(false);
  const [returning] = useState(inside);
  const state = useRoomState(seated?.room ?? null);
  const enter = (own: MediaStream): void => {
    const room = new Room(wire, side, own);
    setLeft(false);
    setSeated({ room, own });
    onInside(true);
    void room.enter();
  };
  const goIn = useEffectEvent(enter);
  const goOut = useEffectEvent(() => onInside(false));
  useEffect(() => {
    if (!returning) return undefined;
    let here = true;
    void openDevices().then((opened) => {
      if (typeof opened !== 'object') return; // the check says what is wrong
      if (here) goIn(opened.stream);
      else closeDevices(opened.stream); // the page has gone meanwhile
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
      closeDevices(seated.own);
    };
  }, [seated]);
  const ended = state !== null && isEnded(state.phase);
  useEffect(() => {
    if (!ended || seated === null) return;
    closeDevices(seated.own);
    goOut();
  }, [ended, seated]);
  return {
    seated: seated !== null && state !== null ? { ...seated, ...state } : null,
    left,
    enter,
    leave(): void {
      setLeft(true);
      setSeated(null);
      onInside(false);
    },
    /** Takes the seat back from another page. */
    again: async (): Promise<void> => {
      const opened = await openDevices();
      if (typeof opened === 'object') enter(opened.stream);
    },
  };
}

function useRoomState(room: Room | null): RoomState | null {
  const state = () => room?.state ?? null;
  return useSyncExternalStore(room?.subscribe ?? never, state, state);
}

function never(): () => void {
  return () => undefined;
}
