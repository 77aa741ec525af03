import { useEffect, useMemo } from 'react';
import { openWire, type Side } from '../video-room/open-wire.ts';
import type { RoomWire } from '../video-room/wire.ts';
import { usePortal } from './portal-context.ts';

/** How often who is in the room counts as being there: nobody touches a key while talking. */
const hereMs = 30_000;

/** The way of this page to the room of a call, in the name of who is signed in, if anybody is. `inside`: the page is in the room now. */
export function useOwnRoom(side: Side, call: string, inside: boolean): RoomWire {
  const portal = usePortal();
  useEffect(() => {
    if (!inside) return undefined;
    const timer = window.setInterval(() => portal.idle.noteActivity(), hereMs);
    return () => window.clearInterval(timer);
  }, [portal, inside]);
  return useMemo(() => {
    const open = async () => {
      const { session, refresh } = await portal.store();
      return {
        hosts: portal.page.config.hosts,
        language: portal.page.language,
        token: () => session.token,
        ...(session.token !== null && { refresh: () => refresh(true) }),
      };
    };
    return openWire(side, open, call);
  }, [portal, side, call]);
}
