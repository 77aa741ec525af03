import { sql, type Kysely, type Migration } from 'kysely';

/** Agents remove the second factors of an account, which weighs as much as its level and its address. */
export const factorsAct: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_acts drop constraint agent_acts_act_check`.execute(db);
    await sql`alter table agent_acts add constraint agent_acts_act_check check (act in ('level', 'email', 'factors'))`.execute(
      db,
    );
  },
};
