import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { selectAct, decideCall, type Decision } from '../video-calls/decide-call.ts';
import { findTransition } from '../video-calls/states.ts';
import { findAgent, atDesk, otherAgent } from './agent.ts';
import { deskCallById, type DeskCall } from './desk-call.ts';
import { notYours, ownCall } from './take-call.ts';
import type { Handler } from '../parts.ts';

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
