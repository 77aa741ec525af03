import type { Handler } from '../parts.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { announce } from '../../platform/database/news.ts';
import { findAgent, atDesk, type Agent } from '../desk/agent.ts';
import { callTopic } from '../video-calls/calls.ts';
import { noteEntry } from '../video-calls/meetings.ts';
import { isOpen } from '../video-calls/room.ts';
import { demandOpen, demandSeat, takeSeat, type Sitter } from './seats.ts';
import { opening, identifyReader, roomEvents, sendSignal } from './room-events.ts';
import { askStill as ask, openStill } from './stills.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { deskCallById, type DeskCall } from '../desk/desk-call.ts';

/** Gives the agent of a call their seat in its room, and streams the room's events. */
export const attendRoom: Handler<'attendRoom'> = async (dependencies, { body, caller, origin }) => {
  const { commands, config } = dependencies;
  const { sitter, heard } = await commands.run(atDesk(origin), async ({ tx, now, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await attendedCall(tx, body.llamada, agent);
    demandOpen(call, config, now);
    const seat = { ...createSitter(call.id, body.cliente), agentId: agent.id };
    const known = await takeSeat(tx, seat, body.desde ?? 0, now);
    // A page that reconnects, as it does every few minutes, is not audited again.
    if (body.desde === undefined || body.desde === 0)
      await audit('call-room-entered', call.citizenId, { call: call.id, agent: agent.signature });
    await announce(tx, callTopic(call.id));
    return { sitter: seat, heard: known };
  });
  const first = await opening(dependencies, sitter);
  return { body: first, events: roomEvents(dependencies, sitter, first, heard), reader: identifyReader(sitter) };
};

/** Records that the agent enters an external room, which sends no events to the server. */
export const enterOutsideRoom: Handler<'enterOutsideRoom'> = async ({ commands, config }, { body, caller, origin }) => {
  await commands.run(atDesk(origin), async ({ tx, now, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await attendedCall(tx, body.llamada, agent);
    if (config.jitsi === null || !isOpen(call, config, now)) throw new OperationError(409, 'sala_cerrada');
    await noteEntry(tx, { callId: call.id, seat: 'agent', agentId: agent.id }, now);
    await audit('call-room-entered', call.citizenId, { call: call.id, agent: agent.signature });
  });
  return { body: {} };
};

export const signalFromDesk: Handler<'signalFromDesk'> = async ({ commands }, { body, caller, origin }) => {
  await commands.run(atDesk(origin), async ({ tx, now }) => {
    const call = await attendedCall(tx, body.llamada, await findAgent(tx, caller));
    await sendSignal(tx, createSitter(call.id, body.cliente), body.senal, now);
  });
  return { body: {} };
};

export const askStill: Handler<'askStill'> = async ({ commands }, { body, caller, origin }) => {
  await commands.run(atDesk(origin), async ({ tx, now, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await attendedCall(tx, body.llamada, agent);
    await demandSeat(tx, createSitter(call.id, body.cliente));
    const still = await ask(tx, { callId: call.id, kind: body.tipo, agent: agent.signature }, now);
    await audit('call-still-asked', call.citizenId, { call: call.id, agent: agent.signature, still });
    await announce(tx, callTopic(call.id));
  });
  return { body: {} };
};

export const getStill: Handler<'getStill'> = async ({ commands, vault }, { params, caller, origin }) => {
  const picture = await commands.run(atDesk(origin), async ({ tx, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await attendedCall(tx, params['id'] ?? '', agent);
    const still = params['foto'] ?? '';
    const opened = await openStill(tx, vault, { callId: call.id, id: still });
    if (opened === null) throw new OperationError(404, 'no_encontrado');
    await audit('call-still-seen', call.citizenId, { call: call.id, agent: agent.signature, still });
    return opened;
  });
  return { body: { imagen: picture } };
};

function createSitter(callId: string, client: string): Sitter {
  return { callId, seat: 'agent', client };
}

/** Returns a call of this agent. Other calls get the same error as an unknown one. */
async function attendedCall(tx: Tx, id: string, agent: Pick<Agent, 'id'>): Promise<DeskCall> {
  const call = await deskCallById(tx, id);
  if (call.agent?.id !== agent.id) throw new OperationError(404, 'llamada_desconocida');
  return call;
}
