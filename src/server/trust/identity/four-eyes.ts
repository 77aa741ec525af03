import { after } from '../../platform/base/clock.ts';
import { dayS, periods } from '../../platform/base/periods.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** What decides who an account belongs to: whose identity it proves, whose mailbox opens it, whether a second factor protects it, and whether it stays. */
export type WeightyAct = 'level' | 'email' | 'factors' | 'closure';

/** Who acts: the id of an agent's account, or the name of who gives a command; and what other agents read. */
export interface Eyes {
  readonly agent: string;
  readonly name: string;
}

/** How long an agent's word waits for another agent's, and one act keeps its agent from the other one. */
const windowS = periods.secondAgentDays * dayS;

/** An act that waits for another agent. */
export interface Waiting {
  readonly act: WeightyAct;
  readonly agent: string;
  readonly name: string;
}

interface Asked extends Eyes {
  readonly citizenId: string;
  readonly act: WeightyAct;
  /** The level or the address: another agent must say the same. */
  readonly detail: string;
}

/**
 * Whether an agent may do a weighty act now, and notes it. `waits`: ELEVATION_SECOND_AGENT asks for another agent who says the same within seven
 * days. `refused`: without that setting, this agent did another weighty act to the account within seven days.
 */
export async function weigh(
  tx: Tx,
  { elevationSecondAgent }: Pick<Config, 'elevationSecondAgent'>,
  { citizenId, act, detail, agent, name }: Asked,
  now: Date,
): Promise<'go' | 'waits' | 'refused'> {
  const note = (done: Date | null) =>
    tx
      .insertInto('agent_acts')
      .values({ citizen_id: citizenId, act, detail, agent, name, at: now, done_at: done })
      .execute();
  const since = after(now, -windowS);
  if (!elevationSecondAgent) {
    if (await hasDoneOther(tx, { citizenId, act, agent }, now)) return 'refused';
    await note(now);
    return 'go';
  }
  const seconded = await tx
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
  await note(seconded.length > 0 ? now : null);
  return seconded.length > 0 ? 'go' : 'waits';
}

/** Whether this agent did a weighty act other than `act` to the account within seven days. */
async function hasDoneOther(
  tx: Tx,
  { citizenId, act, agent }: { citizenId: string; act: WeightyAct; agent: string },
  now: Date,
): Promise<boolean> {
  const done = await tx
    .selectFrom('agent_acts')
    .select('id')
    .where('citizen_id', '=', citizenId)
    .where('act', '!=', act)
    .where('agent', '=', agent)
    .where('done_at', '>', after(now, -windowS))
    .limit(1)
    .executeTakeFirst();
  return done !== undefined;
}

/** What waits for another agent to do the same to an account. */
export async function waitingActs(db: Store['db'] | Tx, citizenId: string, now: Date): Promise<readonly Waiting[]> {
  return db
    .selectFrom('agent_acts')
    .select(['act', 'agent', 'name'])
    .where('citizen_id', '=', citizenId)
    .where('done_at', 'is', null)
    .where('at', '>', after(now, -windowS))
    .orderBy('act')
    .execute();
}

/** How who gives a command stands beside agents, whose ids are those of accounts. */
export function commandOf(operator: string): string {
  return `command:${operator}`;
}
