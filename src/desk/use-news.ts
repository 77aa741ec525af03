import { useEffect } from 'react';
import { readEvents } from '../contract/event-stream.ts';
import type { Portal } from '../portal/portal.ts';
import { usePortal } from '../portal/portal-context.ts';

/** How long after its end a stream is opened anew, and how often what is shown is read again whatever was told, in milliseconds. */
const againMs = 2_000;
const anywayMs = 60_000;

/** Calls `onNews` when something about a call has changed, by whichever agent, citizen or replica. */
export function useNews(onNews: () => void): void {
  const portal = usePortal();
  useEffect(() => {
    const ended = new AbortController();
    const anyway = setInterval(onNews, anywayMs);
    follow(portal, onNews, ended.signal).catch(() => undefined); // it is read again anyway
    return () => {
      clearInterval(anyway);
      ended.abort();
    };
  }, [portal, onNews]);
}

/** Reads the stream, and opens it anew when it ends, until nobody listens any more: less and less often while it is refused. */
async function follow(portal: Portal, onNews: () => void, signal: AbortSignal): Promise<void> {
  const { hosts } = portal.page.config;
  let pauseMs = againMs;
  while (!signal.aborted) {
    const { session } = await portal.citizen();
    const options = { hosts, language: portal.page.language, token: () => session.token ?? null };
    let isFirst = true; // it says what is, not what is new
    const onEvent = (): void => {
      if (!isFirst) onNews();
      isFirst = false;
    };
    const { status } = await readEvents(options, 'watchDesk', {}, onEvent, signal);
    pauseMs = status === 200 ? againMs : Math.min(anywayMs, 2 * pauseMs);
    await new Promise((wake) => setTimeout(wake, pauseMs));
    if (!signal.aborted) onNews(); // what was missed is read again
  }
}
