import { sql } from 'kysely';
import { type ExtraField, readExtra } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import { documentId } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { instantAt, laterDate } from '../../../contract/written/dates.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { callAnswer, readCall, type VideoCall } from '../video-calls/calls.ts';
import { isOver } from '../video-calls/states.ts';
import type { Agent } from './agent.ts';

type Db = Store['db'] | Tx;

export interface DeskCall extends VideoCall {
  readonly agent: { readonly id: string; readonly nombre: string } | null;
  readonly phone: string;
  readonly message: string;
  readonly extra: readonly ExtraField[];
  /** A JSON object. */
  readonly checklist: string;
  readonly reason: string;
}

/** Returns the calls of a date in official time, by start, without expired reservations. */
export async function deskCallsOn(db: Db, date: string): Promise<readonly DeskCall[]> {
  const rows = await calls(db)
    .where('video_calls.starts_at', '>=', instantAt(date, '00:00'))
    .where('video_calls.starts_at', '<', instantAt(laterDate(date, { days: 1 }), '00:00'))
    .where('video_calls.state', '!=', 'Vencido')
    .orderBy('video_calls.starts_at')
    .orderBy('video_calls.id')
    .execute();
  return rows.map(readDeskCall);
}

export async function listDeskCalls(
  db: Db,
  { country, type, number }: { readonly country: string; readonly type: string; readonly number: string },
): Promise<readonly DeskCall[]> {
  const rows = await calls(db)
    .where('video_calls.number', '=', number)
    .where('video_calls.country', '=', country)
    .where('video_calls.type', '=', type)
    .orderBy('video_calls.starts_at', 'desc')
    .limit(50)
    .execute();
  return rows.map(readDeskCall);
}

/** Returns a call. Throws a 404 if there is none. */
export async function deskCallById(db: Db, id: string): Promise<DeskCall> {
  const row = await calls(db).where('video_calls.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new OperationError(404, 'llamada_desconocida');
  return readDeskCall(row);
}

export function listed(call: DeskCall, agent: Agent, clock: Clock) {
  return {
    ...callAnswer(call),
    tipo: call.kind,
    nombre: call.name,
    documento: documentId(call.document),
    asunto: call.subject,
    agente: call.agent,
    mia: call.agent?.id === agent.id,
    atrasada: call.startsAt < clock.now() && (call.state === 'Agendado' || call.state === 'Pendiente agente'),
    terminada: isOver(call.state),
    propia: isOwn(call, agent),
  };
}

/** Whether a call is about the agent's own account: its account booked the call, or its document was entered. */
export function isOwn({ citizenId, document }: VideoCall, agent: Pick<Agent, 'id' | 'document'>): boolean {
  return citizenId === agent.id || documentId(document) === agent.document;
}

function calls(db: Db) {
  return db
    .selectFrom('video_calls')
    .leftJoin('citizens as agents', 'agents.id', 'video_calls.agent_id')
    .selectAll('video_calls')
    .select([
      sql<string>`coalesce(agents.first_name, '')`.as('first_name'),
      sql<string>`coalesce(agents.second_name, '')`.as('second_name'),
      sql<string>`coalesce(agents.first_surname, '')`.as('first_surname'),
      sql<string>`coalesce(agents.second_surname, '')`.as('second_surname'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof calls>['execute']>>[number];

function readDeskCall(row: Row): DeskCall {
  return {
    ...readCall(row),
    agent: row.agent_id === null ? null : { id: row.agent_id, nombre: fullName(row) },
    phone: row.phone,
    message: row.message,
    extra: readExtra(row.extra),
    checklist: row.checklist,
    reason: row.reason,
  };
}
