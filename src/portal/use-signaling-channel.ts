import { useEffect, useMemo } from 'react';
import { openSignalingChannel, type RoomSide } from '../video-room/signaling-channel.ts';
import type { SignalingChannel } from '../video-room/signaling-channel.ts';
import { usePortal } from './portal-context.ts';

/** Interval of recorded activity during a call, in milliseconds, because users talk without keyboard or pointer input. */
const activityIntervalMs = 30_000;

/** Uses the user's session if there is one. `inside`: whether the page has entered the room. */
export function useSignalingChannel(side: RoomSide, call: string, inside: boolean): SignalingChannel {
  const portal = usePortal();
  useEffect(() => {
    if (!inside) return undefined;
    const timer = window.setInterval(() => portal.idle.recordActivity(), activityIntervalMs);
    return () => window.clearInterval(timer);
  }, [portal, inside]);
  return useMemo(() => {
    const open = async () => {
      const { session, renewTokenSerially: refresh } = await portal.store();
      return {
        hosts: portal.config.hosts,
        language: portal.page.language,
        token: () => session.token,
        ...(session.token !== null && { refresh: () => refresh(true) }),
      };
    };
    return openSignalingChannel(side, open, call);
  }, [portal, side, call]);
}
