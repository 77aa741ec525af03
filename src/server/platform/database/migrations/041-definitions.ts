import { sql, type Kysely, type Migration } from 'kysely';

/** The definitions that replicas share: compiled modules, sources of sets in the order in which they came into service, and which replica serves which. */
export const definitions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table definition_modules (url text primary key, source text not null, used_at timestamptz not null)`,
  `create sequence definition_set_places as integer`,
  `create table definition_sets (
     digest text primary key, version text not null, files text not null,
     place integer not null default nextval('definition_set_places'), told boolean not null,
     put_at timestamptz not null, put_by text not null, used_at timestamptz not null)`,
  `create table definition_replicas (
     name text primary key, digest text not null, version text not null, problem text, seen_at timestamptz not null)`,
];
