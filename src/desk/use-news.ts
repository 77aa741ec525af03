import { useEffect } from 'react';
import { readEvents } from '../contract/event-stream.ts';
import type { Portal } from '../portal/portal.ts';
import { usePortal } from '../portal/portal-context.ts';

/** Pause before an ended stream is reopened, and interval of the reload that happens regardless of events, in milliseconds. */
const againMs = 2_000;
const anywayMs = 60_000;

export function useNews(onNews: () => void): void {
  const portal = usePortal();
  useEffect(() => {
    const ended = new AbortController();
    const anyway = setInterval(onNews, anywayMs);
    follow(portal, onNews, ended.signal).catch(() => undefined); // the reload once a minute is independent of the stream
    return () => {
      clearInterval(anyway);
      ended.abort();
    };
  }, [portal, onNews]);
}

/** Reads the event stream until `signal` aborts, and reopens it when it ends. The pauses double while the server refuses. */
async function follow(portal: Portal, onNews: () => void, signal: AbortSignal): Promise<void> {
  const { hosts } = portal.page.config;
  let pauseMs = againMs;
  while (!signal.aborted) {
    const { session } = await portal.citizen();
    const options = { hosts, language: portal.page.language, token: () => session.token ?? null };
    let isFirst = true; // the first event is the current state
    const onEvent = (): void => {
      if (!isFirst) onNews();
      isFirst = false;
    };
    const { status } = await readEvents(options, 'watchDesk', {}, onEvent, signal);
    pauseMs = status === 200 ? againMs : Math.min(anywayMs, 2 * pauseMs);
    await new Promise((wake) => setTimeout(wake, pauseMs));
    if (!signal.aborted) onNews(); // events were missed in the pause
  }
}
