import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay, fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import type { Config } from '../../platform/config/config.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';

/** Actions that affect who controls an account. `proofing` ends a restriction: the password is then enough to set up a second factor. */
export type DualControlAction = 'level' | 'email' | 'factors' | 'closure' | 'proofing';

/** Time in seconds in which a second agent can confirm an action, and in which an agent cannot perform another action on the same account. */
const approvalWindowS = fixedRetentionPeriods.secondAgentDays * secondsPerDay;

export interface PendingDualControlAction {
  readonly act: DualControlAction;
  /** Account id of the agent who requested the action, or the result of `formatOperatorId` for a command. */
  readonly agent: string;
  readonly name: string;
}

/**
 * `waits`: ELEVATION_SECOND_AGENT is on and no other agent has performed the same action within seven days. `refused`: the setting is off and this
 * agent performed another dual-control action on the account within seven days.
 */
export async function admitDualControlAction(
  tx: Tx,
  { elevationSecondAgent }: Pick<Config, 'elevationSecondAgent'>,
  { citizenId, act, detail, agent, name }: PendingDualControlAction & { citizenId: string; detail: string },
  now: Date,
): Promise<'go' | 'waits' | 'refused'> {
  const recordAct = (done: Date | null) =>
    tx
      .insertInto('agent_acts')
      .values({ citizen_id: citizenId, act, detail, agent, name, at: now, done_at: done })
      .execute();
  const since = addSeconds(now, -approvalWindowS);
  if (!elevationSecondAgent) {
    const other = await tx
      .selectFrom('agent_acts')
      .select('id')
      .where('citizen_id', '=', citizenId)
      .where('act', '!=', act)
      .where('agent', '=', agent)
      .where('done_at', '>', since)
      .limit(1)
      .executeTakeFirst();
    if (other !== undefined) return 'refused';
    await recordAct(now);
    return 'go';
  }
  const completedActs = await tx
    .updateTable('agent_acts')
    .set({ done_at: now })
    .where('citizen_id', '=', citizenId)
    .where('act', '=', act)
    .where('detail', '=', detail)
    .where('agent', '!=', agent)
    .where('done_at', 'is', null)
    .where('at', '>', since)
    .returning('id')
    .execute();
  await tx
    .deleteFrom('agent_acts')
    .where('citizen_id', '=', citizenId)
    .where('act', '=', act)
    .where('done_at', 'is', null)
    .execute();
  await recordAct(completedActs.length > 0 ? now : null);
  return completedActs.length > 0 ? 'go' : 'waits';
}

export async function listPendingDualControlActions(
  db: DatabaseStore['db'] | Tx,
  citizenId: string,
  now: Date,
): Promise<readonly PendingDualControlAction[]> {
  return db
    .selectFrom('agent_acts')
    .select(['act', 'agent', 'name'])
    .where('citizen_id', '=', citizenId)
    .where('done_at', 'is', null)
    .where('at', '>', addSeconds(now, -approvalWindowS))
    .orderBy('act')
    .execute();
}

/** The prefix distinguishes operators of commands from agents of the desk, who are identified by account ids. */
export function formatOperatorId(operator: string): string {
  return `command:${operator}`;
}
