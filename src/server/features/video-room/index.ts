import { maxStreamOpeningsPerSecond } from '../../platform/http/event-stream.ts';
import { fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import { createPurgeRule } from '../../platform/modules/table-descriptions.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import {
  assertStillImagePending,
  buildStillImageEncryptionPurpose,
  decodeStillImage,
  decryptStillImage,
  createStillImageRequest,
  storeStillImageOrRefusal,
} from './still-images.ts';
import { defineAttemptLimits, allowAttemptsPerHour } from '../../platform/modules/attempt-limits.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { notifyTopic } from '../../platform/database/notifications.ts';
import {
  notifyCallChanged,
  buildCallNotificationTopic,
  type VideoCall,
  applyCallTransition,
} from '../video-calls/call-records.ts';
import { isCallRoomOpen } from '../video-calls/call-access.ts';
import { recordJitsiEntry } from '../video-calls/room-attendance.ts';
import { isFinalCallState } from '../video-calls/call-states.ts';
import {
  findCallOfCitizen,
  assertRoomOpen,
  assertOccupiesSeat,
  takeRoomSeat,
  type RoomSeat,
  type SeatOccupant,
} from './seats.ts';
import { streamRoomEvents, sendRoomSignal } from './room-events.ts';
import { createCommandHandler, type ResponseBodyHandler, type ReplyHandler } from '../handler-context.ts';
import {
  findRequestingAgent,
  toAgentChangeOrigin,
  type DeskAgent,
  createDeskCommandHandler,
} from '../desk/desk-agent.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { assertNoMalware } from '../../trust/uploads/malware-scanner.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { getDeskCallById, type DeskCall } from '../desk/desk-calls.ts';

export const serverModule = {
  handlers: () => ({
    enterRoom,
    recordCitizenRoomEntry,
    signalRoom,
    sendStill,
    attendRoom,
    recordExternalRoomEntry,
    signalFromDesk,
    requestStill,
    getStill,
  }),
  texts,
  limits: defineAttemptLimits({
    /** Limit of streams. A page opens one stream, and another after a reload or a lost connection. Many citizens and agents share an IP address. */
    stream: {
      address: { free: maxStreamOpeningsPerSecond.network, windowS: 60 },
      document: { free: maxStreamOpeningsPerSecond.account, windowS: 60 },
    },
    room: { address: allowAttemptsPerHour(6_000) },
  }),
  tables: {
    room_signals: {
      data: 'Network addresses of the two browsers in a call',
      why: 'Connecting citizen and agent',
      readers: ['citizen', 'agent'],
      retention: createPurgeRule('created_at', fixedRetentionPeriods.roomSignalMin * 60, 'minutos_sala'),
    },
    call_stills: {
      data: 'Picture of the document or the face, requested by an agent',
      why: 'Checking the identity in a call',
      readers: ['agent'],
      encrypted: { sealed: ({ id }) => buildStillImageEncryptionPurpose(String(id)) },
      retention: createPurgeRule('asked_at', 'STILLS_DAYS', 'dias_fotos'),
    },
  },
} as const satisfies ServerModule;

declare module '../../platform/database/schema.ts' {
  interface Database {
    room_signals: {
      call_id: string;
      /** Recipient's seat. */
      seat: 'citizen' | 'agent';
      number: number;
      /** The WebRTC signal as JSON, in the format of the request body. */
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
      /** The image, encrypted by the vault and in base64. `null` until the citizen has answered. */
      sealed: string | null;
    };
  }
}

/** Gives the citizen's seat in a call's room to the requesting page, and streams the room's events. The call then waits for an agent. */
export const enterRoom: ReplyHandler<'enterRoom'> = async (dependencies, { body, caller, origin }) => {
  const { commands, config } = dependencies;
  const { owner, lastSignal } = await commands.run(origin, async (command) => {
    const { tx, now } = command;
    const call = await findCallOfCitizen(tx, body.llamada, { caller, now });
    assertRoomOpen(call, config, now);
    const owner = toSeatOwner('citizen', call, body.cliente);
    if (isFinalCallState(call.state)) return { owner, lastSignal: 0 };
    if (call.state === 'Agendado') await applyCallTransition(command, call, 'wait');
    const lastSignal = await takeRoomSeat(tx, owner, body.desde ?? 0, now);
    await notifyCallChanged(tx, call.id);
    return { owner, lastSignal };
  });
  return streamRoomEvents(dependencies, owner, lastSignal);
};

/** Records that the citizen enters an external room, which sends no events to the server. The call then waits for an agent. */
export const recordCitizenRoomEntry = createCommandHandler<'recordCitizenRoomEntry'>(
  async (command, { body, caller }, { config }) => {
    const { tx, now } = command;
    const call = await findCallOfCitizen(tx, body.llamada, { caller, now });
    if (config.jitsi === null || !isCallRoomOpen(call, config, now)) throw new OperationError(409, 'sala_cerrada');
    await recordJitsiEntry(tx, { callId: call.id, seat: 'citizen', agentId: null }, now);
    if (call.state === 'Agendado') await applyCallTransition(command, call, 'wait');
  },
);

const signalRoom = createCommandHandler<'signalRoom'>(async ({ tx, now }, { body, caller }) => {
  const call = await findCallOfCitizen(tx, body.llamada, { caller, now });
  await sendRoomSignal(tx, toSeatOwner('citizen', call, body.cliente), body.senal, now);
});

const sendStill: ResponseBodyHandler<'sendStill'> = async (parts, { body, caller, origin }) => {
  const { commands, vault } = parts;
  const { foto: id, imagen: picture = null } = body;
  const findOwnCall = async ({ tx, now }: Pick<DatabaseCommand, 'tx' | 'now'>) => {
    const call = await findCallOfCitizen(tx, body.llamada, { caller, now });
    await assertOccupiesSeat(tx, toSeatOwner('citizen', call, body.cliente));
    return call;
  };
  let jpeg = null;
  if (picture !== null) {
    // The agent's request is checked before the malware scan, so that only requested pictures reach the scanner.
    const { citizenId } = await commands.run(origin, async (command) => {
      const call = await findOwnCall(command);
      await assertStillImagePending(command.tx, { callId: call.id, id });
      return call;
    });
    jpeg = decodeStillImage(picture);
    await assertNoMalware(parts, origin, { file: jpeg.bytes, field: 'imagen', citizenId });
  }
  await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    const call = await findOwnCall(command);
    await storeStillImageOrRefusal(tx, vault, { callId: call.id, id, jpeg }, now);
    const details = { call: call.id, still: id };
    if (jpeg === null) await audit('call-still-refused', call.citizenId, details);
    else await audit('call-still-taken', call.citizenId, details);
    await notifyTopic(tx, buildCallNotificationTopic(call.id));
  });
};

const attendRoom: ReplyHandler<'attendRoom'> = async (dependencies, { body, caller, origin }) => {
  const { commands, config } = dependencies;
  const { owner, lastSignal } = await commands.run(toAgentChangeOrigin(origin), async ({ tx, now, audit }) => {
    const agent = await findRequestingAgent(tx, caller);
    const call = await findAttendedCall(tx, body.llamada, agent);
    assertRoomOpen(call, config, now);
    const owner = { ...toSeatOwner('agent', call, body.cliente), agentId: agent.id };
    const lastSignal = await takeRoomSeat(tx, owner, body.desde ?? 0, now);
    // Only the first connection of a page is audited, because pages reconnect every few minutes.
    if (!body.desde) await audit('call-room-entered', call.citizenId, { call: call.id, agent: agent.signature });
    await notifyTopic(tx, buildCallNotificationTopic(call.id));
    return { owner, lastSignal };
  });
  return streamRoomEvents(dependencies, owner, lastSignal);
};

export const recordExternalRoomEntry = createDeskCommandHandler<'recordExternalRoomEntry'>(
  async ({ tx, now, audit, agent }, { body }, { config }) => {
    const call = await findAttendedCall(tx, body.llamada, agent);
    if (config.jitsi === null || !isCallRoomOpen(call, config, now)) throw new OperationError(409, 'sala_cerrada');
    await recordJitsiEntry(tx, { callId: call.id, seat: 'agent', agentId: agent.id }, now);
    await audit('call-room-entered', call.citizenId, { call: call.id, agent: agent.signature });
  },
);

const signalFromDesk = createDeskCommandHandler<'signalFromDesk'>(async ({ tx, now, agent }, { body }) => {
  const call = await findAttendedCall(tx, body.llamada, agent);
  await sendRoomSignal(tx, toSeatOwner('agent', call, body.cliente), body.senal, now);
});

const requestStill = createDeskCommandHandler<'requestStill'>(async ({ tx, now, audit, agent }, { body }) => {
  const call = await findAttendedCall(tx, body.llamada, agent);
  await assertOccupiesSeat(tx, toSeatOwner('agent', call, body.cliente));
  const still = await createStillImageRequest(tx, { callId: call.id, kind: body.tipo, agent: agent.signature }, now);
  await audit('call-still-asked', call.citizenId, { call: call.id, agent: agent.signature, still });
  await notifyTopic(tx, buildCallNotificationTopic(call.id));
});

const getStill = createDeskCommandHandler<'getStill'>(async ({ tx, audit, agent }, { params }, { vault }) => {
  const call = await findAttendedCall(tx, params['id'] ?? '', agent);
  const still = params['foto'] ?? '';
  const opened = await decryptStillImage(tx, vault, { callId: call.id, id: still });
  if (opened === null) throw new OperationError(404, 'no_encontrado');
  await audit('call-still-seen', call.citizenId, { call: call.id, agent: agent.signature, still });
  return { imagen: opened };
});

/** Returns a call that is assigned to the agent. For any other call, throws the same error as for an unknown call. */
async function findAttendedCall(tx: Tx, id: string, agent: Pick<DeskAgent, 'id'>): Promise<DeskCall> {
  const call = await getDeskCallById(tx, id);
  if (call.agent?.id !== agent.id) throw new OperationError(404, 'llamada_desconocida');
  return call;
}

function toSeatOwner(seat: RoomSeat, { id }: VideoCall, client: string): SeatOccupant {
  return { callId: id, seat, client };
}
