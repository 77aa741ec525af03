import { sql, type Kysely, type Migration } from 'kysely';

/** Agents close accounts, which weighs as much as the level and the address. */
export const closureAct: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_acts drop constraint agent_acts_act_check`.execute(db);
    await sql`alter table agent_acts add constraint agent_acts_act_check
      check (act in ('level', 'email', 'factors', 'closure'))`.execute(db);
  },
};
