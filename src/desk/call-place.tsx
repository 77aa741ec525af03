import { useState } from 'react';
import type { Answer } from '../contract/contract.ts';
import { usePortal } from '../portal/portal-context.ts';
import { useOwnRoom } from '../portal/use-own-room.ts';
import { AgentRoom } from '../video-room/agent-room.tsx';
import { roomTexts } from '../video-room/texts.ts';

const t = roomTexts('es'); // the desk is only in Spanish

/** `sessionStorage` key for the call whose room this tab is in. After a reload the agent re-enters it. */
const insideKey = 'room';

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
        recordInside(now ? id : null);
      }}
      onAsk={async (client, kind) => {
        const body = { llamada: id, cliente: client, tipo: kind };
        return (await portal.flows.invoke('requestStill', { body })).ok;
      }}
      onLook={async (still) => {
        const answer = await portal.flows.invoke('getStill', { params: { id, foto: still } });
        return answer.ok ? (answer.result as Answer<'getStill'>).imagen : null; // serialized by the server with the response schema
      }}
    />
  );
}

function wasInside(id: string): boolean {
  try {
    return sessionStorage.getItem(insideKey) === id;
  } catch {
    return false; // without storage the agent has to enter the room again
  }
}

function recordInside(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(insideKey);
    else sessionStorage.setItem(insideKey, id);
  } catch {
    // no storage
  }
}
