import type { ValuesByName } from '../../../engine/core/json.ts';
import { formatDocumentId } from '../../platform/base/identity-document.ts';
import { createInternalChangeOrigin, type ChangeOrigin } from '../../platform/base/change-origin.ts';
import { secondsPerDay } from '../../platform/base/fixed-periods.ts';
import { InvalidBodyError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { formatOperatorId, admitDualControlAction } from '../../trust/identity/dual-control.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { findVideoCallById, isAgentAssignedToCall, type VideoCall, storeCallTransition } from './call-records.ts';
import { sumSharedRoomSeconds, freeRoomSeat } from './room-attendance.ts';
import { selectCallTransitionName, findCallTransition, type CallState, waitingElevationStates } from './call-states.ts';
import type { HandlerContext } from '../handler-context.ts';
import { addSeconds } from '../../platform/base/clock.ts';

/** Returns the time at which an elevation that enters a state now will end automatically. Returns `null` if the state has no time limit. */
function computeElevationDeadline(state: CallState, { elevationVerifyDays, elevationAcceptDays }: Config, now: Date) {
  if (state === waitingElevationStates.verification) return addSeconds(now, elevationVerifyDays * secondsPerDay);
  return state === waitingElevationStates.acceptance ? addSeconds(now, elevationAcceptDays * secondsPerDay) : null;
}

/** Decisions that an agent can make about a call. Each is the name of a transition. */
export const callDecisions = ['approve', 'verify', 'reject', 'refuse', 'fail', 'attend', 'cancel'] as const;
export type CallDecision = (typeof callDecisions)[number];

interface DecisionRequest {
  readonly id: string;
  readonly decision: CallDecision;
  /** Name of the agent in the audit log. */
  readonly agent: string;
  /** Reason for the audit log. After a rejection, it is also in the citizen's mail. */
  readonly reason: string;
  /** Name of the decision in the desk's form. Several names can share a transition. */
  readonly formValue?: string;
  /** Present if the actor is an agent at the desk, who may not decide about their own account or another agent's call. */
  readonly seat?: { readonly id: string; readonly document: string; readonly origin: ChangeOrigin };
}

/**
 * The moved call, or the reason for a refusal. `not-held`: the call was too short. `unchecked`: the checklist is incomplete. `level-and-email`: the
 * agent performed another dual-control action on the account in the last seven days.
 */
type DecisionOutcome =
  | 'unknown'
  | 'not-now'
  | 'same-agent'
  | 'own-account'
  | 'not-yours'
  | 'not-held'
  | 'unchecked'
  | 'level-and-email'
  | VideoCall;

type Dependencies = Pick<HandlerContext, 'commands' | 'config' | 'callMails' | 'validateForm'>;

/** Transitions that confirm the citizen's identity. */
const approvalTransitions: ReadonlySet<string> = new Set(['approve', 'refer', 'verify']);

const agentOrigin = createInternalChangeOrigin('agent', 'video-calls');

/** Applies an agent's decision about a call, in one transaction with its audit entry and the mail to the person who booked it. */
export async function decideCall(dependencies: Dependencies, request: DecisionRequest): Promise<DecisionOutcome> {
  const { commands, config, callMails } = dependencies;
  const { id, decision, agent, reason, formValue, seat } = request;
  return commands.run(seat?.origin ?? agentOrigin, async (command) => {
    const call = await findVideoCallById(command.tx, id);
    if (call === null) return 'unknown';
    if (seat !== undefined && isCallAboutAgent(call, seat)) return 'own-account';
    const act = selectCallDecisionTransition(decision, call.state, config);
    const transition = findCallTransition(call.kind, act);
    if (!transition?.by.includes('agent')) return 'not-now';
    if ((act === 'verify' || act === 'refuse') && call.referredBy === (seat?.id ?? agent)) return 'same-agent';
    if (seat !== undefined && !(await isAgentAssignedToCall(command.tx, id, seat.id))) return 'not-yours';
    if (!transition.from.includes(call.state)) return 'not-now';
    const approval = approvalTransitions.has(act)
      ? await checkApproval(dependencies, command, id, act, seat?.id ?? null)
      : null;
    if (typeof approval === 'string') return approval;
    if (act === 'approve' && call.citizenId !== null) {
      const eyes = { agent: seat?.id ?? formatOperatorId(agent), name: agent };
      const asked = { citizenId: call.citizenId, act: 'level', detail: call.id, ...eyes } as const;
      if ((await admitDualControlAction(command.tx, config, asked, command.now)) === 'refused')
        return 'level-and-email';
    }
    const details = {
      agent,
      reason,
      ...(formValue !== undefined && { decision: formValue }),
      ...(approval !== null && { seconds: approval }),
    };
    const moved = await storeCallTransition(command, call, act, transition, details);
    if (moved === null) return 'not-now';
    const confirmBy = computeElevationDeadline(moved.state, config, command.now);
    const kept = { reason, confirm_by: confirmBy, ...(approval !== null && { held_s: approval }) };
    await command.tx.updateTable('video_calls').set(kept).where('id', '=', id).execute();
    if (act === 'refer') {
      // Unassigns the call, so that a second agent can take it, and removes the first agent from its room.
      const referred = { referred_by: seat?.id ?? agent, agent_id: null };
      await command.tx.updateTable('video_calls').set(referred).where('id', '=', id).execute();
      await freeRoomSeat(command.tx, { callId: id, seat: 'agent' });
    }
    await callMails.sendTransitionMail(command, { ...moved, confirmBy }, act, reason);
    return moved;
  });
}

/**
 * Returns the duration of the call in seconds, or the reason why the call cannot be approved. A verification counts the duration of the first agent's
 * call.
 */
async function checkApproval(
  { config, validateForm }: Dependencies,
  { tx, now, origin }: DatabaseCommand,
  callId: string,
  act: string,
  agentId: string | null,
): Promise<number | 'not-held' | 'unchecked'> {
  const { checklist, held_s: before } = await tx
    .selectFrom('video_calls')
    .select(['checklist', 'held_s'])
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  const held = act === 'verify' ? (before ?? 0) : await sumSharedRoomSeconds(tx, { callId, agentId }, config, now);
  if (held < config.elevationMinCallS) return 'not-held';
  const points: ValuesByName = { ...(JSON.parse(checklist) as ValuesByName), para: 'aprobar' }; // the cast is safe: the desk stores an object
  try {
    await validateForm('desk-checklist', points, { caller: null, origin });
  } catch (error) {
    if (error instanceof InvalidBodyError) return 'unchecked';
    throw error;
  }
  return held;
}

/** Returns the name of the transition for a decision in a state. If a second agent is required, an approval only refers the call to that agent. */
export function selectCallDecisionTransition(
  decision: CallDecision,
  state: CallState,
  config: Pick<Config, 'elevationSecondAgent'>,
): string {
  return decision === 'approve' && config.elevationSecondAgent ? 'refer' : selectCallTransitionName(state, decision);
}

/** Whether a call is about the agent's own account, because the account booked the call or its document was entered in the booking form. */
export function isCallAboutAgent({ citizenId, document }: VideoCall, agent: { id: string; document: string }): boolean {
  return citizenId === agent.id || formatDocumentId(document) === agent.document;
}
