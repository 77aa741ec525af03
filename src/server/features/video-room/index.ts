import { maxOpenings } from '../../platform/http/event-stream.ts';
import { fixedRetentionPeriods } from '../../platform/base/periods.ts';
import { since } from '../../platform/topics/table.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { stillPurpose, answerStill, requestStill as ask, openStill } from './stills.ts';
import { nameLimits, perHour } from '../../platform/topics/limit.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { announce } from '../../platform/database/news.ts';
import { announceCall, callTopic, type VideoCall, moveCall } from '../video-calls/calls.ts';
import { isOpen } from '../video-calls/room.ts';
import { recordEntry } from '../video-calls/meetings.ts';
import { isOver } from '../video-calls/states.ts';
import { callOfCitizen, requireOpen, requireSeat, takeSeat, type Seat, type SeatOwner } from './seats.ts';
import { opening, identifyReader, roomEvents, sendSignal } from './room-events.ts';
import type { AnswerHandler, Handler } from '../parts.ts';
import { findAgent, atDesk, type Agent, deskAct } from '../desk/agent.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { deskCallById, type DeskCall } from '../desk/decide.ts';

export const topic = {
  handlers: () => ({
    enterRoom,
    waitForAgent,
    signalRoom,
    sendStill,
    attendRoom,
    enterOutsideRoom,
    signalFromDesk,
    requestStill,
    getStill,
  }),
  texts,
  limits: nameLimits({
    /**
     * Limit of newly opened streams. A page opens one, and another one after a reload or a lost connection. Many citizens and agents share an
     * address.
     */
    stream: {
      address: { free: maxOpenings.network, windowS: 60 },
      document: { free: maxOpenings.account, windowS: 60 },
    },
    room: { address: perHour(6_000) },
  }),
  tables: {
    room_signals: {
      data: 'Network addresses of the two browsers in a call',
      why: 'Connecting citizen and agent',
      readers: ['citizen', 'agent'],
      kept: since('created_at', fixedRetentionPeriods.roomSignalMin * 60, 'minutos_sala'),
    },
    call_stills: {
      data: 'Picture of the document or the face, requested by an agent',
      why: 'Checking the identity in a call',
      readers: ['agent'],
      encrypted: { sealed: ({ id }) => stillPurpose(String(id)) },
      kept: since('asked_at', 'STILLS_DAYS', 'dias_fotos'),
    },
  },
} as const satisfies Topic;

declare module '../../platform/database/schema.ts' {
  interface Database {
    room_signals: {
      call_id: string;
      /** Recipient's seat. */
      seat: 'citizen' | 'agent';
      number: number;
      /** The signal as JSON, as in the request body. */
      content: string;
      created_at: Date;
    };
    call_stills: {
      id: string;
      call_id: string;
      kind: 'document' | 'face';
      /** Name of the agent in the audit log. */
      asked_by: string;
      asked_at: Date;
      refused_at: Date | null;
      taken_at: Date | null;
      width: number | null;
      height: number | null;
      /** The image in base64, encrypted by the vault. `null` until the citizen has answered. */
      sealed: string | null;
    };
  }
}

/** Assigns the citizen's seat in the room to this page, and streams the room's events. From then on, the call waits for an agent. */
export const enterRoom: Handler<'enterRoom'> = async (dependencies, { body, caller, origin }) => {
  const { commands, config } = dependencies;
  const { sitter, heard } = await commands.run(origin, async (command) => {
    const { tx, now } = command;
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    requireOpen(call, config, now);
    const seat = toSitter('citizen', call, body.cliente);
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
export const waitForAgent: AnswerHandler<'waitForAgent'> = async ({ commands, config }, { body, caller, origin }) => {
  await commands.run(origin, async (command) => {
    const { tx, now } = command;
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    if (config.jitsi === null || !isOpen(call, config, now)) throw new OperationError(409, 'sala_cerrada');
    await recordEntry(tx, { callId: call.id, seat: 'citizen', agentId: null }, now);
    if (call.state === 'Agendado') await moveCall(command, call, 'wait');
  });
};

const signalRoom: AnswerHandler<'signalRoom'> = async ({ commands }, { body, caller, origin }) => {
  await commands.run(origin, async ({ tx, now }) => {
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    await sendSignal(tx, toSitter('citizen', call, body.cliente), body.senal, now);
  });
};

const sendStill: AnswerHandler<'sendStill'> = async ({ commands, vault }, { body, caller, origin }) => {
  await commands.run(origin, async ({ tx, now, audit }) => {
    const call = await callOfCitizen(tx, body.llamada, { caller, now });
    await requireSeat(tx, toSitter('citizen', call, body.cliente));
    const { foto: id, imagen: picture = null } = body;
    await answerStill(tx, vault, { callId: call.id, id, picture }, now);
    const details = { call: call.id, still: id };
    if (picture === null) await audit('call-still-refused', call.citizenId, details);
    else await audit('call-still-taken', call.citizenId, details);
    await announce(tx, callTopic(call.id));
  });
};

/** Assigns the agent's seat in the call's room to this page, and streams the room's events. */
const attendRoom: Handler<'attendRoom'> = async (dependencies, { body, caller, origin }) => {
  const { commands, config } = dependencies;
  const { sitter, heard } = await commands.run(atDesk(origin), async ({ tx, now, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await attendedCall(tx, body.llamada, agent);
    requireOpen(call, config, now);
    const seat = { ...toSitter('agent', call, body.cliente), agentId: agent.id };
    const known = await takeSeat(tx, seat, body.desde ?? 0, now);
    // Only the first connection is audited: pages reconnect every few minutes.
    if (body.desde === undefined || body.desde === 0)
      await audit('call-room-entered', call.citizenId, { call: call.id, agent: agent.signature });
    await announce(tx, callTopic(call.id));
    return { sitter: seat, heard: known };
  });
  const first = await opening(dependencies, sitter);
  return { body: first, events: roomEvents(dependencies, sitter, first, heard), reader: identifyReader(sitter) };
};

/** Records that the agent enters an external room, which sends no events to the server. */
export const enterOutsideRoom = deskAct<'enterOutsideRoom'>(async ({ tx, now, audit, agent }, { body }, { config }) => {
  const call = await attendedCall(tx, body.llamada, agent);
  if (config.jitsi === null || !isOpen(call, config, now)) throw new OperationError(409, 'sala_cerrada');
  await recordEntry(tx, { callId: call.id, seat: 'agent', agentId: agent.id }, now);
  await audit('call-room-entered', call.citizenId, { call: call.id, agent: agent.signature });
});

const signalFromDesk = deskAct<'signalFromDesk'>(async ({ tx, now, agent }, { body }) => {
  const call = await attendedCall(tx, body.llamada, agent);
  await sendSignal(tx, toSitter('agent', call, body.cliente), body.senal, now);
});

const requestStill = deskAct<'requestStill'>(async ({ tx, now, audit, agent }, { body }) => {
  const call = await attendedCall(tx, body.llamada, agent);
  await requireSeat(tx, toSitter('agent', call, body.cliente));
  const still = await ask(tx, { callId: call.id, kind: body.tipo, agent: agent.signature }, now);
  await audit('call-still-asked', call.citizenId, { call: call.id, agent: agent.signature, still });
  await announce(tx, callTopic(call.id));
});

const getStill = deskAct<'getStill'>(async ({ tx, audit, agent }, { params }, { vault }) => {
  const call = await attendedCall(tx, params['id'] ?? '', agent);
  const still = params['foto'] ?? '';
  const opened = await openStill(tx, vault, { callId: call.id, id: still });
  if (opened === null) throw new OperationError(404, 'no_encontrado');
  await audit('call-still-seen', call.citizenId, { call: call.id, agent: agent.signature, still });
  return { imagen: opened };
});

/** Returns a call that is assigned to the agent. Throws the error of an unknown call for any other. */
async function attendedCall(tx: Tx, id: string, agent: Pick<Agent, 'id'>): Promise<DeskCall> {
  const call = await deskCallById(tx, id);
  if (call.agent?.id !== agent.id) throw new OperationError(404, 'llamada_desconocida');
  return call;
}

function toSitter(seat: Seat, { id }: VideoCall, client: string): SeatOwner {
  return { callId: id, seat, client };
}
