import { useEffect } from 'react';
import { contract } from '../contract/contract.ts';
import type { Portal } from '../portal/portal.ts';
import { usePortal } from '../portal/portal-context.ts';

/** How long after its end a stream is opened anew, and how often what is shown is read again whatever was told. */
const againMs = 2_000;
const anywayMs = 60_000;

/** Calls `onNews` when something about a call has changed, by whichever agent, citizen or replica. */
export function useNews(onNews: () => void): void {
  const portal = usePortal();
  useEffect(() => {
    const ended = new AbortController();
    const anyway = setInterval(onNews, anywayMs);
    void follow(portal, onNews, ended.signal);
    return () => {
      clearInterval(anyway);
      ended.abort();
    };
  }, [portal, onNews]);
}

/** Reads the stream, and opens it anew when it ends, until nobody listens any more. */
async function follow(portal: Portal, onNews: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await read(portal, onNews, signal).catch(() => undefined); // what was missed is read again below
    await new Promise((wake) => setTimeout(wake, againMs));
    if (!signal.aborted) onNews();
  }
}

// By fetch: a bearer stays in its header, where EventSource would put it into the address.
async function read(portal: Portal, onNews: () => void, signal: AbortSignal): Promise<void> {
  const { session } = await portal.citizen();
  const response = await fetch(portal.page.config.hosts.backend + contract.watchDesk.path, {
    headers: { authorization: `Bearer ${session.token ?? ''}` },
    signal,
  });
  if (!response.ok || response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let first = true; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (!value.includes('data:')) continue; // a sign of life
    if (!first) onNews();
    first = false;
  }
}
