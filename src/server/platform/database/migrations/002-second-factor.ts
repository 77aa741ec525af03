import { sql, type Kysely, type Migration } from 'kysely';

/** Second factors, mailed codes, recovery codes, and what sign-ins and sessions record of them. */
export const secondFactor: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table second_factors (
     id text primary key, citizen_id text not null references citizens on delete cascade, kind text not null,
     secret text, last_step bigint, created_at timestamptz not null, activated_at timestamptz)`,
  `create unique index second_factors_active on second_factors (citizen_id, kind) where activated_at is not null`,
  `create unique index second_factors_pending on second_factors (citizen_id, kind) where activated_at is null`,
  `create table mailed_codes (
     purpose text not null, owner text not null, citizen_id text not null references citizens on delete cascade,
     digest text not null, tries int not null, expires_at timestamptz not null, used_at timestamptz,
     primary key (purpose, owner))`,
  `create index mailed_codes_expiry on mailed_codes (expires_at)`,
  `create table recovery_codes (
     citizen_id text not null references citizens on delete cascade, digest text not null,
     created_at timestamptz not null, used_at timestamptz, primary key (citizen_id, digest))`,
  `alter table challenges add column institutional_email text`,
  `create index challenges_citizen on challenges (citizen_id)`,
  `alter table broker_sessions add column role text not null default 'citizen'`,
];
