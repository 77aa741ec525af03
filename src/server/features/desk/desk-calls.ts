import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import {
  selectCallDecisionTransition,
  decideCall,
  isCallAboutAgent,
  type CallDecision,
} from '../video-calls/decide-call.ts';
import { findCallTransition, isFinalCallState } from '../video-calls/call-states.ts';
import {
  findRequestingAgent,
  toAgentChangeOrigin,
  createDeskCommandHandler,
  isKeyOf,
  type DeskAgent,
} from './desk-agent.ts';
import type { ResponseBodyHandler } from '../handler-context.ts';
import { sql } from 'kysely';
import { formatDocumentId, type IdentityDocument } from '../../platform/base/identity-document.ts';
import { notifyTopic } from '../../platform/database/notifications.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { formatFullName, resolveCitizenPermissions } from '../../trust/identity/citizens.ts';
import { hasAnyPermission } from '../../../contract/operation-access.ts';
import { deskPermissionResource } from '../../../contract/desk-permissions.ts';
import {
  buildCallNotificationTopic,
  toCallResponse,
  toVideoCall,
  type VideoCall,
} from '../video-calls/call-records.ts';
import { freeRoomSeat } from '../video-calls/room-attendance.ts';
import { type ExtraField, parseExtraFields } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import { parseUruguayInstant, addToDate } from '../../../contract/format/dates.ts';

/** Assigns a call to the agent. If two agents take the call at the same time, the second gets an error with the name of the first. */
export const takeCall = createDeskCommandHandler<'takeCall'>(async ({ tx, audit, agent }, { params }) => {
  const call = await findOpenCall(tx, params['id']);
  if (call.agent?.id === agent.id) return;
  if (call.agent !== null) throw new OperationError(409, 'llamada_tomada', { values: { agente: call.agent.nombre } });
  if (isCallAboutAgent(call, agent)) throw new OperationError(409, 'llamada_propia');
  if (call.referredBy === agent.id) throw new OperationError(409, 'otro_agente');
  await tx.updateTable('video_calls').set({ agent_id: agent.id }).where('id', '=', call.id).execute();
  await audit('call-taken', null, { call: call.id, agent: agent.signature });
});

/** Assigns a call of the agent to a colleague. Without a colleague, any agent can take the call. */
export const handOverCall = createDeskCommandHandler<'handOverCall'>(
  async ({ tx, audit, agent }, { params, body }, { config }) => {
    const call = await findOwnCall(tx, params['id'], agent.id);
    const colleagues = body.agente ? await listColleagues(tx, config, agent.id) : [];
    const to = colleagues.find(({ id }) => id === body.agente) ?? null;
    if (to === null && body.agente) throw new OperationError(400, 'agente_desconocido', { field: 'agente' });
    if (to !== null && (isCallAboutAgent(call, to) || call.referredBy === to.id))
      throw new OperationError(409, 'otro_agente', { field: 'agente' });
    await tx
      .updateTable('video_calls')
      .set({ agent_id: to?.id ?? null })
      .where('id', '=', call.id)
      .execute();
    await freeRoomSeat(tx, { callId: call.id, seat: 'agent' });
    await notifyTopic(tx, buildCallNotificationTopic(call.id));
    await audit('call-handed-over', null, { call: call.id, agent: agent.signature, to: to?.nombre ?? null });
  },
);

export const getColleagues: ResponseBodyHandler<'getColleagues'> = async ({ store, config }, { caller }) => {
  const agent = await findRequestingAgent(store.db, caller);
  return (await listColleagues(store.db, config, agent.id)).map(({ id, nombre }) => ({ id, nombre }));
};

async function findOwnCall(tx: Tx, id: string | undefined, agentId: string): Promise<DeskCall> {
  const call = await findOpenCall(tx, id);
  if (call.agent?.id !== agentId) throw createNotAssignedError(call);
  return call;
}

function createNotAssignedError({ agent }: DeskCall): OperationError {
  return agent === null
    ? new OperationError(409, 'llamada_de_nadie')
    : new OperationError(409, 'llamada_tomada', { values: { agente: agent.nombre } });
}

async function findOpenCall(tx: Tx, id = ''): Promise<DeskCall> {
  const call = await getDeskCallById(tx, id);
  if (isFinalCallState(call.state)) throw new OperationError(409, 'llamada_terminada');
  return call;
}

async function listColleagues(db: Db, config: Config, agentId: string) {
  const rows = await db
    .selectFrom('citizens')
    .select(['id', 'country', 'type', 'number', 'permissions'])
    .select(['first_name', 'second_name', 'first_surname', 'second_surname'])
    .where('id', '!=', agentId)
    .where('blocked_at', 'is', null)
    .where(sql<boolean>`permissions -> ${sql.lit(deskPermissionResource)} is not null`)
    .orderBy('first_surname')
    .execute();
  return rows
    .filter((row) =>
      hasAnyPermission(resolveCitizenPermissions(config, row), [[deskPermissionResource, 'videollamadas']]),
    )
    .map((row) => ({ id: row.id, document: formatDocumentId(row), nombre: formatFullName(row) }));
}

/** Decisions by their form values. Two form values lead to the same decision, but have different actions in the audit log. */
const decisionsByFormValue = {
  aprobar: 'approve',
  rechazar: 'reject',
  no_verificada: 'reject',
  verificar: 'verify',
  no_confirmar: 'refuse',
  atendida: 'attend',
  error_tecnico: 'fail',
} as const satisfies Readonly<Record<string, CallDecision>>;

export function listCallDecisions({ kind, state }: Pick<DeskCall, 'kind' | 'state'>, config: Config) {
  return Object.entries(decisionsByFormValue).flatMap(([name, decision]) => {
    const { by = [], from = [] } =
      findCallTransition(kind, selectCallDecisionTransition(decision, state, config)) ?? {};
    return by.includes('agent') && from.includes(state) ? name : [];
  });
}

export const decideDeskCall: ResponseBodyHandler<'decideDeskCall'> = async (
  { commands, config, callMails, validateForm, store },
  { params, body, caller, origin },
) => {
  const agent = await findRequestingAgent(store.db, caller);
  const name = body.decision ?? '';
  if (!isKeyOf(decisionsByFormValue, name)) throw new OperationError(400, 'decision_invalida', { field: 'decision' });
  const outcome = await decideCall(
    { commands, config, callMails, validateForm },
    {
      id: params['id'] ?? '',
      decision: decisionsByFormValue[name],
      agent: agent.signature,
      reason: (body.motivo ?? '').trim(),
      formValue: name,
      seat: { id: agent.id, document: agent.document, origin: toAgentChangeOrigin(origin) },
    },
  );
  if (typeof outcome !== 'string') return { estado: outcome.state };
  if (outcome === 'not-yours') throw createNotAssignedError(await getDeskCallById(store.db, params['id'] ?? ''));
  const values = { segundos: String(config.elevationMinCallS) };
  throw new OperationError(outcome === 'unknown' ? 404 : 409, refusalCodes[outcome], { values });
};

const refusalCodes = {
  unknown: 'llamada_desconocida',
  'not-now': 'llamada_en_otro_estado',
  'same-agent': 'otro_agente',
  'own-account': 'llamada_propia',
  'not-held': 'llamada_sin_hacer',
  unchecked: 'control_incompleto',
  'level-and-email': 'nivel_y_correo',
} as const;

export const keepChecklist = createDeskCommandHandler<'keepChecklist'>(
  async ({ tx, audit, agent }, { params, body }) => {
    const call = await findOwnCall(tx, params['id'], agent.id);
    await tx
      .updateTable('video_calls')
      .set({ checklist: JSON.stringify(body) })
      .where('id', '=', call.id)
      .execute();
    await audit('call-noted', null, { call: call.id, agent: agent.signature });
  },
);

type Db = DatabaseStore['db'];

export interface DeskCall extends VideoCall {
  readonly agent: { readonly id: string; readonly nombre: string } | null;
  readonly phone: string;
  readonly message: string;
  readonly extra: readonly ExtraField[];
  readonly checklist: string;
  readonly reason: string;
}

/** Returns the calls of a date in official time, ordered by start time, without expired reservations. */
export async function listDeskCallsOnDate(db: Db, date: string): Promise<readonly DeskCall[]> {
  const rows = await selectCalls(db)
    .where('video_calls.starts_at', '>=', parseUruguayInstant(date, '00:00'))
    .where('video_calls.starts_at', '<', parseUruguayInstant(addToDate(date, { days: 1 }), '00:00'))
    .where('video_calls.state', '!=', 'Vencido')
    .orderBy('video_calls.starts_at')
    .orderBy('video_calls.id')
    .execute();
  return rows.map(toDeskCall);
}

export async function listDeskCallsOfDocument(db: Db, { country, type, number }: IdentityDocument) {
  const rows = await selectCalls(db)
    .where('video_calls.number', '=', number)
    .where('video_calls.country', '=', country)
    .where('video_calls.type', '=', type)
    .orderBy('video_calls.starts_at', 'desc')
    .limit(50)
    .execute();
  return rows.map(toDeskCall);
}

/** Returns the call with this id. Throws a 404 if there is none. */
export async function getDeskCallById(db: Db, id: string): Promise<DeskCall> {
  const row = await selectCalls(db).where('video_calls.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new OperationError(404, 'llamada_desconocida');
  return toDeskCall(row);
}

export function toDeskCallListItem(call: DeskCall, agent: DeskAgent, clock: Clock) {
  return {
    ...toCallResponse(call),
    tipo: call.kind,
    nombre: call.name,
    documento: formatDocumentId(call.document),
    asunto: call.subject,
    agente: call.agent,
    mia: call.agent?.id === agent.id,
    atrasada: call.startsAt < clock.now() && (call.state === 'Agendado' || call.state === 'Pendiente agente'),
    terminada: isFinalCallState(call.state),
    propia: isCallAboutAgent(call, agent),
  };
}

function selectCalls(db: Db) {
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

function toDeskCall(row: Awaited<ReturnType<ReturnType<typeof selectCalls>['execute']>>[number]): DeskCall {
  return {
    ...toVideoCall(row),
    agent: row.agent_id === null ? null : { id: row.agent_id, nombre: formatFullName(row) },
    phone: row.phone,
    message: row.message,
    extra: parseExtraFields(row.extra),
    checklist: row.checklist,
    reason: row.reason,
  };
}
