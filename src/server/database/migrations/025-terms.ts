import { sql, type Kysely, type Migration } from 'kysely';

/** An approved call ends where its terms are not accepted in time: those that wait already get the days that a new one gets by default. */
export const terms: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`update video_calls set confirm_by = now() + interval '30 days'
      where kind = 'elevation' and state = 'Pendiente usuario'`.execute(db);
  },
};
