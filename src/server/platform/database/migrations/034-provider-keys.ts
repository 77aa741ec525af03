import { sql, type Kysely, type Migration } from 'kysely';

/** The configured provider stands in the key of links and refusals. A refusal from before names no provider: it counts for each. */
export const providerKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table provider_identities drop constraint provider_identities_pkey`,
  `alter table provider_identities add primary key (provider, issuer, subject)`,
  `alter table provider_refusals add column provider text not null default ''`,
  `alter table provider_refusals alter column provider drop default`,
  `alter table provider_refusals drop constraint provider_refusals_pkey`,
  `alter table provider_refusals add primary key (provider, issuer, subject, citizen_id)`,
];
