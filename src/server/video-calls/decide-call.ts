import type { Agenda } from '../base/agenda.ts';
import { ownOrigin } from '../base/origin.ts';
import type { Config } from '../config/config.ts';
import type { Tx } from '../database/open-store.ts';
import type { Command, Commands } from '../notices/commands.ts';
import type { CallMails } from './call-mails.ts';
import { findAnyCall, type VideoCall } from './calls.ts';
import { moveCall } from './move-call.ts';
import { isRejected, transitions, type Transition } from './states.ts';

/** What an agent may decide about a call, by the name of its transition. */
export type Decision = 'approve' | 'verify' | 'reject' | 'refuse' | 'fail' | 'attend' | 'cancel';

const decisions: ReadonlySet<string> = new Set<Decision>([
  'approve',
  'verify',
  'reject',
  'refuse',
  'fail',
  'attend',
  'cancel',
]);

/** Whether a word is a decision. */
export function isDecision(name: string): name is Decision {
  return decisions.has(name);
}

/** What an agent decides, and why. */
export interface DecisionOfCall {
  readonly id: string;
  readonly decision: Decision;
  /** Who decides, as the audit log names them. */
  readonly agent: string;
  /** In the audit log; of a rejection the citizen reads it. */
  readonly reason: string;
}

/**
 * How a decision ended: there is no such call, it is in no state for it (any more) or of the other kind, it needs another agent than the one who
 * saw the citizen; else the call as it is now.
 */
export type DecisionOutcome = 'unknown' | 'not-now' | 'same-agent' | VideoCall;

interface Needs {
  readonly commands: Commands;
  readonly config: Pick<Config, 'elevationSecondAgent'>;
  readonly callMails: CallMails;
}

const attended = ownOrigin('agent', 'video-calls');

/** Decides about a call as an agent, in one transaction with its row in the audit log and what its person is told. */
export async function decideCall(
  { commands, config, callMails }: Needs,
  { id, decision, agent, reason }: DecisionOfCall,
): Promise<DecisionOutcome> {
  return commands.run(attended, async (command) => {
    const call = await findAnyCall(command.tx, id);
    if (call === null) return 'unknown';
    const act = decision === 'approve' && config.elevationSecondAgent ? 'refer' : decision;
    const table: Readonly<Record<string, Transition>> = transitions[call.kind];
    if (!table[act]?.by.includes('agent')) return 'not-now';
    if ((act === 'verify' || act === 'refuse') && call.referredBy === agent) return 'same-agent';
    const moved = await moveCall<Agenda>(command, call, act as never, { agent, reason }); // the table above has it
    if (moved === null) return 'not-now';
    if (act === 'refer') await noteReferral(command.tx, id, agent);
    await tell(command, callMails, moved, reason);
    return moved;
  });
}

async function noteReferral(tx: Tx, id: string, agent: string): Promise<void> {
  await tx.updateTable('video_calls').set({ referred_by: agent }).where('id', '=', id).execute();
}

async function tell(command: Command, mails: CallMails, call: VideoCall, reason: string): Promise<void> {
  if (isRejected(call.state)) return mails.rejected(command, call, reason);
  switch (call.state) {
    case 'Pendiente usuario':
      return mails.approved(command, call);
    case 'Error':
      return mails.failed(command, call);
    case 'Cancelado':
      return mails.cancelled(command, call);
    default: // nothing that its person waits for
  }
}
