import type { Values } from '../../../engine/core/json.ts';
import { documentId } from '../../platform/base/document.ts';
import type { ValidateForm } from '../../platform/base/validate-form.ts';
import { ownOrigin, type Origin } from '../../platform/base/origin.ts';
import { RefusedBody } from '../../platform/base/refused-body.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { commandOf, weigh } from '../../trust/identity/four-eyes.ts';
import type { Command, Commands } from '../../trust/notices/commands.ts';
import type { CallMails } from './call-mails.ts';
import { findAnyCall, type VideoCall } from './calls.ts';
import { dueBy, type DueSettings } from './due-days.ts';
import { heldSeconds, leaveSeat } from './meetings.ts';
import { followTransition } from './move-call.ts';
import { actIn, transitionOf, type CallState } from './states.ts';

/** What an agent may decide about a call, by the name of its transition. */
export const decisions = ['approve', 'verify', 'reject', 'refuse', 'fail', 'attend', 'cancel'] as const;
export type Decision = (typeof decisions)[number];

/** What an agent decides, and why. */
export interface DecisionOfCall {
  readonly id: string;
  readonly decision: Decision;
  /** Who decides, as the audit log names them. */
  readonly agent: string;
  /** In the audit log; of a rejection the citizen reads it. */
  readonly reason: string;
  /** What the agent called the decision, where several end alike. */
  readonly word?: string;
  /** Of an agent at the desk: who never decides about their own account, nor about a call that somebody else has. */
  readonly seat?: Seat;
}

/** Where an agent at the desk decides. */
interface Seat {
  /** Of the agent's own account. */
  readonly id: string;
  /** Id of the agent's document. */
  readonly document: string;
  readonly origin: Origin;
}

/**
 * How a decision ended: there is no such call, it is in no state for it (any more) or of the other kind, it needs another agent than the one who
 * saw the citizen, it is about the agent's own account, another agent has it, an approval lacks the call itself or points of its checklist, or
 * its agent set the address of the account within seven days;
 * else the call as it is now.
 */
export type DecisionOutcome =
  | 'unknown'
  | 'not-now'
  | 'same-agent'
  | 'own-account'
  | 'not-yours'
  | 'not-held'
  | 'unchecked'
  | 'level-and-email'
  | VideoCall;

interface Needs {
  readonly commands: Commands;
  readonly config: Pick<Config, 'elevationSecondAgent' | 'elevationMinCallS' | 'jitsi'> & DueSettings;
  readonly callMails: CallMails;
  readonly validateForm: ValidateForm;
}

/** The acts that say of somebody's identity that it was checked. */
const approvals: ReadonlySet<string> = new Set(['approve', 'refer', 'verify']);

const attended = ownOrigin('agent', 'video-calls');

/** Decides about a call as an agent, in one transaction with its row in the audit log and what its person is told. */
export async function decideCall(needs: Needs, decided: DecisionOfCall): Promise<DecisionOutcome> {
  const { commands, config, callMails } = needs;
  const { id, decision, agent, reason, word, seat } = decided;
  return commands.run(seat?.origin ?? attended, async (command) => {
    const call = await findAnyCall(command.tx, id);
    if (call === null) return 'unknown';
    if (seat !== undefined && isAbout(call, seat)) return 'own-account';
    const act = actOf(decision, call.state, config);
    const transition = transitionOf(call.kind, act);
    if (!transition?.by.includes('agent')) return 'not-now';
    if ((act === 'verify' || act === 'refuse') && call.referredBy === (seat?.id ?? agent)) return 'same-agent';
    if (seat !== undefined && (await agentOf(command.tx, id)) !== seat.id) return 'not-yours';
    if (!transition.from.includes(call.state)) return 'not-now';
    const held = approvals.has(act) ? await demandChecked(needs, command, call, act, seat) : null;
    if (typeof held === 'string') return held;
    if (act === 'approve' && call.citizenId !== null) {
      const eyes = { agent: seat?.id ?? commandOf(agent), name: agent };
      const asked = { citizenId: call.citizenId, act: 'level', detail: call.id, ...eyes } as const;
      if ((await weigh(command.tx, config, asked, command.now)) === 'refused') return 'level-and-email';
    }
    const details = {
      agent,
      reason,
      ...(word !== undefined && { decision: word }),
      ...(held !== null && { seconds: held }),
    };
    const moved = await followTransition(command, call, act, transition, details);
    if (moved === null) return 'not-now';
    const confirmBy = dueBy(moved.state, config, command.now);
    const kept = { reason, confirm_by: confirmBy, ...(held !== null && { held_s: held }) };
    await command.tx.updateTable('video_calls').set(kept).where('id', '=', id).execute();
    if (act === 'refer') await noteReferral(command.tx, id, seat?.id ?? agent);
    await callMails.moved(command, { ...moved, confirmBy }, act, reason);
    return moved;
  });
}

/**
 * For how many seconds the call was held that an agent approves: long enough, and with the checklist as its screen demands it. Of an approval that
 * another agent verifies, it is what the first one was asked for.
 */
async function demandChecked(
  { config, validateForm }: Needs,
  { tx, now, origin }: Command,
  { id }: VideoCall,
  act: string,
  seat: Seat | undefined,
): Promise<number | 'not-held' | 'unchecked'> {
  const { checklist, held_s: before } = await tx
    .selectFrom('video_calls')
    .select(['checklist', 'held_s'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const held =
    act === 'verify' ? (before ?? 0) : await heldSeconds(tx, { callId: id, agentId: seat?.id ?? null }, config, now);
  if (held < config.elevationMinCallS) return 'not-held';
  const points: Values = { ...(JSON.parse(checklist) as Values), para: 'aprobar' }; // the desk writes an object
  try {
    await validateForm('desk-checklist', points, { caller: null, origin });
  } catch (error) {
    if (error instanceof RefusedBody) return 'unchecked';
    throw error;
  }
  return held;
}

/** The act that a decision about a call in a state comes to. */
export function actOf(decision: Decision, state: CallState, config: Pick<Config, 'elevationSecondAgent'>): string {
  return decision === 'approve' && config.elevationSecondAgent ? 'refer' : actIn(state, decision);
}

/** By who was signed in when it was booked, or by the document that was typed. */
function isAbout({ citizenId, document }: VideoCall, seat: Seat): boolean {
  return citizenId === seat.id || documentId(document) === seat.document;
}

async function agentOf(tx: Tx, id: string): Promise<string | null> {
  const row = await tx.selectFrom('video_calls').select('agent_id').where('id', '=', id).executeTakeFirstOrThrow();
  return row.agent_id;
}

/** Whoever verifies it takes it anew; who saw the citizen leaves the room. */
async function noteReferral(tx: Tx, id: string, agent: string): Promise<void> {
  await tx.updateTable('video_calls').set({ referred_by: agent, agent_id: null }).where('id', '=', id).execute();
  await leaveSeat(tx, { callId: id, seat: 'agent' });
}
