import { sql, type Kysely, type Migration } from 'kysely';

/** Records of foreign providers are few beside the accounts: those that nobody uses are found without a look at all of them. */
export const foreignRecords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index citizens_foreign on citizens (id) where idp is not null`.execute(db);
  },
};
