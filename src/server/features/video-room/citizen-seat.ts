import { OperationError } from '../../platform/base/errors.ts';
import { announce } from '../../platform/database/news.ts';
import { announceCall, callTopic, type VideoCall } from '../video-calls/calls.ts';
import { isOpen } from '../video-calls/room.ts';
import { noteEntry } from '../video-calls/meetings.ts';
import { moveCall } from '../video-calls/move-call.ts';
import { isOver } from '../video-calls/states.ts';
import { callOfCitizen, demandOpen, demandSeat, takeSeat, type Sitter } from './seats.ts';
import { opening, identifyReader, roomEvents, sendSignal } from './room-events.ts';
import { answerStill } from './stills.ts';
import type { Handler } from '../parts.ts';

/** Gives the citizen their seat in the room, and streams its events. From then on, the call waits for an agent. */
export const enterRoom: Handler<'enterRoom'> = async (dependencies, { body, caller, origin }) => {
  const { commands, config } = dependencies;
  const { sitter, heard } = await commands.run(origin, async (command) => {
    const { tx, now } = command;
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    demandOpen(call, config, now);
    const seat = createSitter(call, body.cliente);
    if (isOver(call.state)) return { sitter: seat, heard: 0 };
    if (call.state === 'Agendado') await moveCall(command, call, 'wait');
    const known = await takeSeat(tx, seat, body.desde ?? 0, now);
    await announceCall(tx, call.id);
    return { sitter: seat, heard: known };
  });
  const first = await opening(dependencies, sitter);
  return { body: first, events: roomEvents(dependencies, sitter, first, heard), reader: identifyReader(sitter) };
};

/** Records that the citizen enters an external room, which sends no events to the server. From then on, the call waits for an agent. */
export const waitForAgent: Handler<'waitForAgent'> = async ({ commands, config }, { body, caller, origin }) => {
  await commands.run(origin, async (command) => {
    const { tx, now } = command;
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    if (config.jitsi === null || !isOpen(call, config, now)) throw new OperationError(409, 'sala_cerrada');
    await noteEntry(tx, { callId: call.id, seat: 'citizen', agentId: null }, now);
    if (call.state === 'Agendado') await moveCall(command, call, 'wait');
  });
  return { body: {} };
};

export const signalRoom: Handler<'signalRoom'> = async ({ commands }, { body, caller, origin }) => {
  await commands.run(origin, async ({ tx, now }) => {
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    await sendSignal(tx, createSitter(call, body.cliente), body.senal, now);
  });
  return { body: {} };
};

export const sendStill: Handler<'sendStill'> = async ({ commands, vault }, { body, caller, origin }) => {
  await commands.run(origin, async ({ tx, now, audit }) => {
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    await demandSeat(tx, createSitter(call, body.cliente));
    const { foto: id, imagen: picture = null } = body;
    await answerStill(tx, vault, { callId: call.id, id, picture }, now);
    const details = { call: call.id, still: id };
    if (picture === null) await audit('call-still-refused', call.citizenId, details);
    else await audit('call-still-taken', call.citizenId, details);
    await announce(tx, callTopic(call.id));
  });
  return { body: {} };
};

function createSitter(call: VideoCall, client: string): Sitter {
  return { callId: call.id, seat: 'citizen', client };
}
