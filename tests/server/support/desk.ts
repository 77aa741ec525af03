import type { Database } from '../../../src/server/platform/database/schema.ts';
import { randomUUID } from 'node:crypto';
import { deskPermissionActions, deskPermissionResource } from '../../../src/contract/desk-permissions.ts';
import type { Caller } from '../../../src/server/platform/base/operation-request.ts';
import { addSeconds } from '../../../src/server/platform/base/clock.ts';
import { OperationError } from '../../../src/server/platform/base/errors.ts';
import { createActiveCitizen } from './citizen-data.ts';
import { password } from './account.ts';
import type { Insertable } from 'kysely';
import type { HandlerContext } from '../../../src/server/features/handler-context.ts';
import { freeRoomSeat } from '../../../src/server/features/video-calls/room-attendance.ts';
import { renewSeatPresence, takeRoomSeat, type SeatOccupant } from '../../../src/server/features/video-room/seats.ts';
import { recordProofOfIdentity } from '../../../src/server/trust/sessions/identity-proof.ts';
import { startSession } from '../../../src/server/trust/sessions/start-session.ts';
import type { TestServer } from './test-server.ts';

/** Creates an agent with every permission of the desk. The agent is signed in, so that the guard admits it. */
export async function createAgent(server: TestServer, number: string): Promise<Caller> {
  const id = await createActiveCitizen(server, number, password);
  const permisos = { [deskPermissionResource]: deskPermissionActions };
  const { db } = server.parts.store;
  await db
    .updateTable('citizens')
    .set({ permissions: JSON.stringify(permisos) })
    .where('id', '=', id)
    .execute();
  const { country, type } = await db
    .selectFrom('citizens')
    .select(['country', 'type'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const document = `${country}-${type}-${number}`;
  return {
    citizenId: id,
    document,
    sessionId: await createProvenSession(server, id),
    role: 'agent',
    permisos,
    restricted: false,
    factorDue: false,
    nid: 1,
  };
}

/** Creates an agent's session whose password proof lasts for the entire test. */
async function createProvenSession({ parts: { store }, clock }: TestServer, citizenId: string): Promise<string> {
  const yearS = 365 * 24 * 3600;
  const life = { now: clock.now(), lifeS: yearS, idleS: yearS };
  const device = { userAgent: 'test', address: '198.51.100.9' };
  return store.transaction(async (tx) => {
    const { id } = await startSession(tx, { citizenId, amr: [], nid: 1, role: 'agent', device, ...life });
    await recordProofOfIdentity(tx, id, addSeconds(clock.now(), yearS));
    return id;
  });
}

/** Inserts a booked call that begins in an hour. */
export async function insertBookedCall(
  { parts: { store, clock } }: { readonly parts: Pick<HandlerContext, 'store' | 'clock'> },
  call: Partial<Insertable<Database['video_calls']>> = {},
): Promise<string> {
  const id = randomUUID();
  const now = clock.now();
  await store.db
    .insertInto('video_calls')
    .values({
      id,
      kind: 'elevation',
      state: 'Pendiente agente',
      starts_at: addSeconds(now, 3600),
      ends_at: addSeconds(now, 4800),
      place: null,
      citizen_id: null,
      country: 'uy',
      type: 'ci',
      number: '50234162',
      name: 'María Fernández',
      email: 'maria@example.com',
      phone: '',
      subject: '',
      message: '',
      language: 'es',
      created_at: now,
      confirm_by: null,
      ...call,
    })
    .execute();
  return id;
}

/** A checklist with all items that an approval requires. */
export const completeChecklist = {
  rostro: true,
  documento: true,
  vigencia: true,
  datos: true,
  libertad: true,
} as const;

/** Simulates that agent and citizen have been in the room of the call for the given time, until now. */
export async function simulatePresence(
  { parts: { store, clock } }: { readonly parts: Pick<HandlerContext, 'store' | 'clock'> },
  callId: string,
  agentId: string,
  seconds = 60,
): Promise<void> {
  const now = clock.now();
  const sitters: readonly SeatOccupant[] = [
    { callId, seat: 'citizen', client: randomUUID() },
    { callId, seat: 'agent', client: randomUUID(), agentId },
  ];
  for (const { seat } of sitters) await store.transaction((tx) => freeRoomSeat(tx, { callId, seat }));
  for (const sitter of sitters) {
    await store.transaction((tx) => takeRoomSeat(tx, sitter, 0, addSeconds(now, -seconds)));
    await renewSeatPresence(store.db, sitter, now);
  }
}

/** Prepares a call for approval: the call has taken place, and the checklist is complete. */
export async function prepareApproval(
  server: { readonly parts: Pick<HandlerContext, 'store' | 'clock'> },
  callId: string,
  agentId: string,
): Promise<void> {
  const { db } = server.parts.store;
  await db.insertInto('call_meetings').values({ call_id: callId, agent_id: agentId, met_ms: 60_000 }).execute();
  const checklist = JSON.stringify(completeChecklist);
  await db.updateTable('video_calls').set({ checklist }).where('id', '=', callId).execute();
}

/** Returns the error with which a call is rejected. */
export async function catchError(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OperationError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}
