import type { OperationResponse, OperationBody } from '../../../contract/contract.ts';
import type { EventStreamProducer } from '../../platform/base/operation-request.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { buildCallNotificationTopic, findVideoCallById, isAgentAssignedToCall } from '../video-calls/call-records.ts';
import { isFinalCallState } from '../video-calls/call-states.ts';
import {
  getOppositeSeat,
  findRoomOccupants,
  renewSeatPresence,
  type SeatOccupant,
  assertOccupiesSeat,
} from './seats.ts';
import { listStillImages } from './still-images.ts';
import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { HandlerContext } from '../handler-context.ts';
import { sql } from 'kysely';
import { OperationError } from '../../platform/base/errors.ts';
import { notifyTopic } from '../../platform/database/notifications.ts';
import { freeRoomSeat } from '../video-calls/room-attendance.ts';

export type RoomSignal = OperationBody<'signalRoom'>['senal'];

/** Maximum number of signals to a seat within two minutes. A connection takes about twenty per side, so this allows for ten reconnections. */
const maxSignals = 200;
const signalLifeS = 120;

export async function sendRoomSignal(tx: Tx, owner: SeatOccupant, signal: RoomSignal, now: Date): Promise<void> {
  await assertOccupiesSeat(tx, owner);
  if (signal.tipo === 'adios') await freeRoomSeat(tx, owner);
  else await saveSignal(tx, owner, signal, now);
  await notifyTopic(tx, buildCallNotificationTopic(owner.callId));
}

/** Concurrent writers wait for the seat's row, so the sequence numbers are in the order of commits. */
async function saveSignal(tx: Tx, { callId, seat }: SeatOccupant, signal: RoomSignal, now: Date): Promise<void> {
  const to = getOppositeSeat(seat);
  const row = await tx
    .updateTable('room_seats')
    .set({ sequence: sql<number>`sequence + 1` })
    .where('call_id', '=', callId)
    .where('seat', '=', to)
    .where('client', 'is not', null)
    .returning('sequence')
    .executeTakeFirst();
  if (row === undefined) return;
  const kept = tx.deleteFrom('room_signals').where('call_id', '=', callId).where('seat', '=', to);
  await kept.where('created_at', '<', addSeconds(now, -signalLifeS)).execute();
  await tx
    .insertInto('room_signals')
    .values({ call_id: callId, seat: to, number: row.sequence, content: JSON.stringify(signal), created_at: now })
    .execute();
  const { count } = await tx
    .selectFrom('room_signals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('call_id', '=', callId)
    .where('seat', '=', to)
    .executeTakeFirstOrThrow();
  if (count > maxSignals) throw new OperationError(429, 'demasiados_intentos', { retryAfter: signalLifeS });
}

async function listSignalsAfter(db: DatabaseStore['db'], { callId, seat }: SeatOccupant, number: number) {
  const rows = await db
    .selectFrom('room_signals')
    .select(['number', 'content'])
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .where('number', '>', number)
    .orderBy('number')
    .execute();
  return rows.map((row) => ({ numero: row.number, senal: JSON.parse(row.content) as RoomSignal })); // the cast is safe: `saveSignal` wrote the content
}

/** Lifetime of the TURN server's credentials, in seconds. It exceeds the duration of any call. A page that reconnects gets new credentials. */
const credentialsLifeS = 4 * 60 * 60;

/** Returns the STUN and TURN servers for a call, with temporary credentials as coturn expects them (`use-auth-secret`). */
export function buildIceServers(
  { stun, turn, turnSecret, turnOnly }: Config['room'],
  callId: string,
  now: Date,
): NonNullable<OperationResponse<'enterRoom'>['hielo']> {
  const username = `${Math.floor(addSeconds(now, credentialsLifeS).getTime() / 1000)}:${callId}`;
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64');
  return {
    servidores: [
      ...(stun.length > 0 ? [{ urls: [...stun] }] : []),
      ...(turn.length > 0 ? [{ urls: [...turn], username, credential }] : []),
    ],
    solo_rele: turnOnly,
  };
}

export type RoomEvent = OperationResponse<'enterRoom'>;

/** Interval at which the room is polled, in milliseconds, because a notification may be lost and a page may leave silently. */
const pollMs = 15_000;

type Dependencies = Pick<HandlerContext, 'store' | 'clock'>;

export async function readRoomState(
  { store: { db }, clock }: Dependencies,
  { callId, seat }: Pick<SeatOccupant, 'callId' | 'seat'>,
): Promise<RoomEvent> {
  const call = await findVideoCallById(db, callId);
  const present = await findRoomOccupants(db, callId, clock.now());
  return {
    tipo: 'sala',
    estado: call?.state ?? 'Cancelado',
    otro: present[getOppositeSeat(seat)],
    ...(await listStillImages(db, callId, seat)),
  };
}

/** Streams a room's events to a page. The first event is the state of the room, with the ICE servers unless the call is over. */
export async function streamRoomEvents(context: HandlerContext, owner: SeatOccupant, lastSignal: number) {
  const { callId, seat, client } = owner;
  const state = await readRoomState(context, owner);
  const hielo = buildIceServers(context.config.room, callId, context.clock.now());
  const first = hasEnded(state) ? state : { ...state, hielo };
  return {
    body: first,
    events: createRoomEventProducer(context, owner, first, lastSignal),
    reader: { group: callId, name: `${seat} ${client}` },
  };
}

/** Emits the room's later events until the call is over, another page takes the seat, or the call is assigned to another agent. */
export function createRoomEventProducer(
  dependencies: Dependencies,
  owner: SeatOccupant,
  first: RoomEvent,
  lastSignal: number,
): EventStreamProducer<RoomEvent> {
  const { store, clock } = dependencies;
  return async (emit, signal) => {
    let news = new AbortController();
    signal.addEventListener('abort', () => news.abort());
    const stop = await store.notifications.subscribe(buildCallNotificationTopic(owner.callId), () => news.abort());
    try {
      let sent = JSON.stringify({ ...first, hielo: undefined });
      let number = lastSignal;
      let seen = performance.now();
      while (!signal.aborted) {
        news = new AbortController(); // created before the queries below, so that no notification during them is missed
        if (owner.agentId !== undefined && !(await isAgentAssignedToCall(store.db, owner.callId, owner.agentId)))
          return;
        const present = await findRoomOccupants(store.db, owner.callId, clock.now());
        if (present[owner.seat] !== null && present[owner.seat] !== owner.client) return emit({ tipo: 'ocupado' });
        const now = await readRoomState(dependencies, owner);
        if (JSON.stringify(now) !== sent) emit(now);
        sent = JSON.stringify(now);
        for (const next of await listSignalsAfter(store.db, owner, number)) {
          emit({ tipo: 'senal', ...next });
          number = next.numero;
        }
        if (hasEnded(now)) return;
        await setTimeout(pollMs, undefined, { ref: false, signal: news.signal }).catch(() => undefined); // a notification rejects the pause, which ends it early
        if (performance.now() - seen >= pollMs) {
          await renewSeatPresence(store.db, owner, clock.now());
          seen = performance.now();
        }
      }
    } finally {
      stop();
    }
  };
}

function hasEnded({ estado = '' }: RoomEvent): boolean {
  return isFinalCallState(estado as Parameters<typeof isFinalCallState>[0]); // the cast is safe: the state comes from the table of calls
}
