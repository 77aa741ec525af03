import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { selectAct, decideCall, type Decision } from '../video-calls/decide-call.ts';
import { findTransition, isOver } from '../video-calls/states.ts';
import { findAgent, atDesk, otherAgent } from './agent.ts';
import { deskCallById, type DeskCall, isOwn } from './desk-call.ts';
import type { Handler } from '../parts.ts';
import { sql } from 'kysely';
import { documentId } from '../../platform/base/document.ts';
import { announce } from '../../platform/database/news.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { fullName, resolvePermissions } from '../../trust/identity/citizens.ts';
import { permits } from '../../../contract/access.ts';
import { deskResource } from '../../../contract/desk.ts';
import { callTopic } from '../video-calls/calls.ts';
import { leaveSeat } from '../video-calls/meetings.ts';

/** Assigns a free call to the agent. If two take it at the same time, one gets it, and the error for the other one names that agent. */
export const takeCall: Handler<'takeCall'> = async ({ commands }, { params, caller, origin }) => {
  await commands.run(atDesk(origin), async ({ tx, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await openCall(tx, params['id']);
    if (call.agent?.id === agent.id) return;
    if (call.agent !== null) throw new OperationError(409, 'llamada_tomada', { values: { agente: call.agent.nombre } });
    if (isOwn(call, agent)) throw new OperationError(409, 'llamada_propia');
    if (call.referredBy === agent.id) throw new OperationError(409, 'otro_agente');
    await tx.updateTable('video_calls').set({ agent_id: agent.id }).where('id', '=', call.id).execute();
    await audit('call-taken', null, { call: call.id, agent: agent.signature });
  });
  return { body: {} };
};

/** Hands a call of the agent over to a colleague. If none is named, any agent can take it. */
export const handOverCall: Handler<'handOverCall'> = async ({ commands, config }, { params, body, caller, origin }) => {
  await commands.run(atDesk(origin), async ({ tx, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await ownCall(tx, params['id'], agent.id);
    const to = (body.agente ?? '') === '' ? null : await colleague(tx, config, body.agente ?? '', agent.id);
    if (to !== null && (isOwn(call, to) || call.referredBy === to.id))
      throw new OperationError(409, 'otro_agente', { field: 'agente' });
    await tx
      .updateTable('video_calls')
      .set({ agent_id: to?.id ?? null })
      .where('id', '=', call.id)
      .execute();
    await leaveSeat(tx, { callId: call.id, seat: 'agent' });
    await announce(tx, callTopic(call.id));
    await audit('call-handed-over', null, { call: call.id, agent: agent.signature, to: to?.nombre ?? null });
  });
  return { body: {} };
};

export const getColleagues: Handler<'getColleagues'> = async ({ store, config }, { caller }) => {
  const { id } = await findAgent(store.db, caller);
  const others = (await colleagues(store.db, config)).filter((other) => other.id !== id);
  return { body: others.map((other) => ({ id: other.id, nombre: other.nombre })) };
};

/** Returns a call that the agent has. Throws if another agent has it, nobody has, or it is over. */
async function ownCall(tx: Tx, id: string | undefined, agentId: string): Promise<DeskCall> {
  const call = await openCall(tx, id);
  if (call.agent?.id !== agentId) throw notYours(call);
  return call;
}

/** Error for a call that another agent or nobody has. */
function notYours({ agent }: DeskCall): OperationError {
  return agent === null
    ? new OperationError(409, 'llamada_de_nadie')
    : new OperationError(409, 'llamada_tomada', { values: { agente: agent.nombre } });
}

async function openCall(tx: Tx, id = ''): Promise<DeskCall> {
  const call = await deskCallById(tx, id);
  if (isOver(call.state)) throw new OperationError(409, 'llamada_terminada');
  return call;
}

async function colleague(tx: Tx, config: Config, id: string, own: string) {
  const found = (await colleagues(tx, config)).find((other) => other.id === id && other.id !== own);
  if (found === undefined) throw new OperationError(400, 'agente_desconocido', { field: 'agente' });
  return found;
}

interface Colleague {
  readonly id: string;
  /** Id of the agent's document. */
  readonly document: string;
  readonly nombre: string;
}

async function colleagues(db: Store['db'] | Tx, config: Config): Promise<readonly Colleague[]> {
  const rows = await db
    .selectFrom('citizens')
    .select(['id', 'country', 'type', 'number', 'permissions'])
    .select(['first_name', 'second_name', 'first_surname', 'second_surname'])
    .where('blocked_at', 'is', null)
    .where(sql<boolean>`permissions -> ${sql.lit(deskResource)} is not null`)
    .orderBy('first_surname')
    .execute();
  return rows
    .filter((row) => permits(resolvePermissions(config, row), [[deskResource, 'videollamadas']]))
    .map((row) => ({ id: row.id, document: documentId(row), nombre: fullName(row) }));
}

/** Decisions by their names in the form. Two of them share a transition, but not their name in the audit log. */
const decisions = {
  aprobar: 'approve',
  rechazar: 'reject',
  no_verificada: 'reject',
  verificar: 'verify',
  no_confirmar: 'refuse',
  atendida: 'attend',
  error_tecnico: 'fail',
} as const satisfies Readonly<Record<string, Decision>>;

type DecisionName = keyof typeof decisions;

export function listDecisions({ kind, state }: Pick<DeskCall, 'kind' | 'state'>, config: Config): readonly string[] {
  return Object.entries(decisions).flatMap(([name, decision]) => {
    const { by = [], from = [] } = findTransition(kind, selectAct(decision, state, config)) ?? {};
    return by.includes('agent') && from.includes(state) ? name : [];
  });
}

export const decideDeskCall: Handler<'decideDeskCall'> = async (
  { commands, config, callMails, validateForm, store },
  { params, body, caller, origin },
) => {
  const agent = await findAgent(store.db, caller);
  const name = body.decision ?? '';
  if (!isDecisionName(name)) throw new OperationError(400, 'decision_invalida', { field: 'decision' });
  const outcome = await decideCall(
    { commands, config, callMails, validateForm },
    {
      id: params['id'] ?? '',
      decision: decisions[name],
      agent: agent.signature,
      reason: (body.motivo ?? '').trim(),
      word: name,
      seat: { id: agent.id, document: agent.document, origin: atDesk(origin) },
    },
  );
  switch (outcome) {
    case 'unknown':
      throw new OperationError(404, 'llamada_desconocida');
    case 'not-now':
      throw new OperationError(409, 'llamada_en_otro_estado');
    case 'same-agent':
      throw new OperationError(409, 'otro_agente');
    case 'own-account':
      throw new OperationError(409, 'llamada_propia');
    case 'not-held':
      throw new OperationError(409, 'llamada_sin_hacer', { values: { segundos: String(config.elevationMinCallS) } });
    case 'unchecked':
      throw new OperationError(409, 'control_incompleto');
    case 'level-and-email':
      throw otherAgent();
    case 'not-yours':
      throw notYours(await deskCallById(store.db, params['id'] ?? ''));
    default:
      return { body: { estado: outcome.state } };
  }
};

export const keepChecklist: Handler<'keepChecklist'> = async ({ commands }, { params, body, caller, origin }) => {
  await commands.run(atDesk(origin), async ({ tx, audit }) => {
    const agent = await findAgent(tx, caller);
    const call = await ownCall(tx, params['id'], agent.id);
    await tx
      .updateTable('video_calls')
      .set({ checklist: JSON.stringify(body) })
      .where('id', '=', call.id)
      .execute();
    await audit('call-noted', null, { call: call.id, agent: agent.signature });
  });
  return { body: {} };
};

function isDecisionName(name: string): name is DecisionName {
  return Object.hasOwn(decisions, name);
}
