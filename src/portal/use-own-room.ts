import { useEffect, useMemo } from 'react';
import { openWire, type Side } from '../video-room/open-wire.ts';
import type { RoomWire } from '../video-room/open-wire.ts';
import { usePortal } from './portal-context.ts';

/** Interval of activity records during a call, in milliseconds: users talk without touching a key. */
const hereMs = 30_000;

/** Connects this page to the room of a call, with the session of the user if there is one. `inside`: whether the page is in the room. */
export function useOwnRoom(side: Side, call: string, inside: boolean): RoomWire {
  const portal = usePortal();
  useEffect(() => {
    if (!inside) return undefined;
    const timer = window.setInterval(() => portal.idle.recordActivity(), hereMs);
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
