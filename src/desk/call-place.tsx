import { useState } from 'react';
import type { Answer } from '../contract/contract.ts';
import { usePortal } from '../portal/portal-context.ts';
import { useOwnRoom } from '../portal/use-own-room.ts';
import { AgentRoom } from '../video-room/agent-room.tsx';
import { roomTexts } from '../video-room/texts.ts';

const t = roomTexts('es'); // as the desk

/** In which room this tab was, so that a page that is loaded anew goes in again. */
const insideKey = 'room';

/** The room on the page of a call. */
export function CallPlace({ id }: { id: string }) {
  const portal = usePortal();
  const [inside, setInside] = useState(() => wasInside(id));
  const wire = useOwnRoom('agent', id, inside);
  return (
    <AgentRoom
      wire={wire}
      t={t}
      inside={inside}
      onInside={(now) => {
        setInside(now);
        noteInside(now ? id : null);
      }}
      onAsk={async (client, kind) => {
        const body = { llamada: id, cliente: client, tipo: kind };
        return (await portal.flows.invoke('askStill', { body })).ok;
      }}
      onLook={async (still) => {
        const answer = await portal.flows.invoke('getStill', { params: { id, foto: still } });
        return answer.ok ? (answer.result as Answer<'getStill'>).imagen : null; // the server serializes by the answer's schema
      }}
    />
  );
}

function wasInside(id: string): boolean {
  try {
    return sessionStorage.getItem(insideKey) === id;
  } catch {
    return false; // a browser that stores nothing: the agent presses once more
  }
}

function noteInside(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(insideKey);
    else sessionStorage.setItem(insideKey, id);
  } catch {
    // see above
  }
}
