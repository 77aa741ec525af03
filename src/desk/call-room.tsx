import { useState } from 'react';
import type { OperationResponse } from '../contract/contract.ts';
import { usePortal } from '../portal/portal-context.ts';
import { useSignalingChannel } from '../portal/use-signaling-channel.ts';
import { AgentRoom } from '../video-room/agent-room.tsx';
import { createRoomTranslate } from '../video-room/room-texts.ts';

const t = createRoomTranslate('es'); // only in Spanish, like the rest of the desk

/** `sessionStorage` key for the id of the call whose room this tab has entered, to re-enter it after a reload. */
const enteredCallKey = 'room';

export function CallRoom({ id }: { id: string }) {
  const portal = usePortal();
  const [inside, setInside] = useState(() => hasEntered(id));
  const wire = useSignalingChannel('agent', id, inside);
  return (
    <AgentRoom
      wire={wire}
      t={t}
      wasInside={inside}
      onInsideChange={(now) => {
        setInside(now);
        recordEntered(now ? id : null);
      }}
      onRequestStill={async (client, kind) => {
        const body = { llamada: id, cliente: client, tipo: kind };
        return (await portal.flows.invoke('requestStill', { body })).ok;
      }}
      onLoadStill={async (still) => {
        const answer = await portal.flows.invoke('getStill', { params: { id, foto: still } });
        return answer.ok ? (answer.result as OperationResponse<'getStill'>).imagen : null; // the result is untyped; the server serializes it with the operation's response schema
      }}
    />
  );
}

function hasEntered(id: string): boolean {
  try {
    return sessionStorage.getItem(enteredCallKey) === id;
  } catch {
    return false; // without storage, the agent re-enters the room manually after a reload
  }
}

function recordEntered(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(enteredCallKey);
    else sessionStorage.setItem(enteredCallKey, id);
  } catch {
    // storage is blocked
  }
}
