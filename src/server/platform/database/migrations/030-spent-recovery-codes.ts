import { sql, type Kysely, type Migration } from 'kysely';

/** Which recovery codes were used, for as long as the account exists: whoever takes a change back must not make one of them valid again. */
export const spentRecoveryCodes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table spent_recovery_codes (
     citizen_id text not null references citizens on delete cascade, digest text not null, primary key (citizen_id, digest))`,
  // by a trigger, so that it holds for a replica of the version before as well
  `create function note_spent_code() returns trigger language plpgsql as $$ begin
     insert into spent_recovery_codes values (new.citizen_id, new.digest) on conflict do nothing;
     return null;
   end $$`,
  `create trigger recovery_codes_spent after insert or update on recovery_codes for each row
     when (new.used_at is not null) execute function note_spent_code()`,
  `insert into spent_recovery_codes select citizen_id, digest from recovery_codes where used_at is not null`,
  `insert into spent_recovery_codes
     select distinct c.citizen_id, code ->> 'digest'
     from credential_changes c, jsonb_array_elements(coalesce(c.before -> 'recovery_codes', '[]')) as code
     where code ->> 'used_at' is not null
     on conflict do nothing`,
];
