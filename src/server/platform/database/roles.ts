import pg from 'pg';
import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Whether the role of `url`, or of this connection, may create objects in the schema or is a member of the role that owns a table. */
export async function canChangeTables(db: Kysely<Database>, url?: string): Promise<boolean> {
  const role = url === undefined ? sql`current_user` : sql`${readRole(url)}::name`;
  const { rows } = await sql<{ can: boolean }>`
    select has_schema_privilege(${role}, current_schema(), 'create') or exists (
      select from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and pg_has_role(${role}, relowner, 'member')) as can`.execute(db);
  return rows[0]?.can === true;
}

function readRole(url: string): string {
  return new pg.Client({ connectionString: url }).user ?? '';
}

/** Id of the advisory lock that serializes grants, because PostgreSQL rejects concurrent grants on the same table. */
const grantLock = 20261128;

/**
 * Grants the role of `url` only the privileges that the server needs. It can append to the audit log, seal its rows and erase old network addresses in
 * them, but cannot change other columns or delete rows.
 */
export function grantServerPrivileges(db: Kysely<Database>, url: string): Promise<void> {
  const role = sql.ref(readRole(url));
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(grantLock)})`.execute(tx);
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(tx);
    const schema = sql.ref(rows[0]?.name ?? 'public');
    for (const statement of [
      sql`revoke create on schema ${schema} from public, ${role}`,
      sql`revoke all on all tables in schema ${schema} from ${role}`,
      sql`grant usage on schema ${schema} to ${role}`,
      sql`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
      sql`grant usage, select on all sequences in schema ${schema} to ${role}`,
      sql`revoke update, delete on audit, audit_seals from ${role}`,
      sql`grant update (seal, leaf, address, user_agent, origin_salt, origin_hash) on audit to ${role}`,
      sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock, compatible_migrations from ${role}`,
    ])
      await statement.execute(tx);
  });
}
