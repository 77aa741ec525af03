import { sql, type Kysely, type Migration } from 'kysely';

/** What a citizen took back by "No fui yo" stays taken back: whom a provider means is not linked to that account by the provider's word alone. */
export const providerRefusals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table provider_refusals (
     issuer text not null, subject text not null, citizen_id text not null references citizens on delete cascade, at timestamptz not null,
     primary key (issuer, subject, citizen_id))`,
  `create index provider_refusals_citizen on provider_refusals (citizen_id)`,
];
