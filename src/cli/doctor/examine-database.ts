import { Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { deskResource } from '../../contract/desk.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import type { Config } from '../../server/platform/config/config.ts';
import {
  breakingMigrations,
  migrationNames,
  listAppliedMigrations,
  refusedMigrations,
} from '../../server/platform/database/migrate.ts';
import { postgresDialect } from '../../server/platform/database/postgres-dialect.ts';
import { canChangeTables } from '../../server/platform/database/roles.ts';
import type { Database } from '../../server/platform/database/schema.ts';
import { clockAheadMs, toleratedSkewMs } from '../../server/platform/jobs/clock-skew.ts';
import {
  describeLeniency,
  type ClientRegistration,
} from '../../server/trust/federation/clients/client-registration.ts';
import { formatError } from '../command.ts';
import { doubtful, fine, wrong, type Finding } from './examine-keys.ts';
import { isWithin } from '../../server/platform/base/addresses.ts';

export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl: url, loopback } = config;
  if (url === null)
    return [
      loopback
        ? fine('database: embedded')
        : doubtful('database: embedded. It survives the end of the process, not of the machine. Set DATABASE_URL.'),
    ];
  const { dialect } = postgresDialect({ url, pool: 1, log: pino({ level: 'silent' }), statementLimitMs: 5_000 });
  const db = new Kysely<Database>({ dialect });
  try {
    const migrations = await listAppliedMigrations(db);
    return [
      ...(await examineServer(db, config)),
      ...(loopback || !(await canChangeTables(db)) ? [] : [doubtful(ownerText)]),
      ...(await examineMigrations(db, migrations)),
      ...(migrations.length === 0 ? [] : [...(await examineAddresses(db, config)), ...(await examineClients(db))]),
      ...(loopback || migrations.length === 0 ? [] : await examineAgents(db)),
    ];
  } catch (error) {
    return [wrong(`database: it cannot be reached: ${formatError(error)}`)];
  } finally {
    await db.destroy();
  }
}

const ownerText =
  'database: the role of DATABASE_URL can change tables, so an intruder can drop the triggers of the audit log. Serve with a role of its own, and migrate with DATABASE_OWNER_URL.';

async function examineServer(db: Kysely<Database>, { databasePool: pool }: Config): Promise<readonly Finding[]> {
  const { rows } = await sql<{ version: string; standby: boolean; most: number }>`
    select current_setting('server_version') as version, pg_is_in_recovery() as standby,
      current_setting('max_connections')::integer as most
  `.execute(db);
  const [row] = rows;
  if (!row) return [wrong('database: it answers nothing')];
  const apartMs = Math.abs(await clockAheadMs(db, systemClock));
  return [
    fine(`database: PostgreSQL ${row.version} answers`),
    ...(row.standby ? [wrong('database: DATABASE_URL leads to a standby, which takes no changes.')] : []),
    ...(pool > row.most - 5
      ? [wrong(`database: DATABASE_POOL is ${pool}, and PostgreSQL takes ${row.most} connections of all replicas.`)]
      : []),
    ...(apartMs > toleratedSkewMs
      ? [doubtful(`database: its clock is ${Math.round(apartMs / 1000)} s from this one.`)]
      : []),
  ];
}

/** Counts agents who cannot sign in at the desk, because no mailbox is bound to their account. */
async function examineAgents(db: Kysely<Database>): Promise<readonly Finding[]> {
  const { rows } = await sql<{ agents: number }>`
    select count(*)::integer as agents from citizens
    where jsonb_array_length(permissions -> ${sql.lit(deskResource)}) > 0
      and not exists (select from agent_mailboxes m where m.citizen_id = citizens.id)`.execute(db);
  const agents = rows[0]?.agents ?? 0;
  return agents === 0
    ? []
    : [
        doubtful(
          `agents: ${agents} without an institutional mailbox cannot sign in at the desk. Bind each with \`portal account mailbox DOCUMENT ADDRESS\`.`,
        ),
      ];
}

async function examineClients(db: Kysely<Database>): Promise<readonly Finding[]> {
  const rows = await db.selectFrom('clients').select('registration').orderBy('id').execute();
  return findLeniency(rows.map(({ registration }) => JSON.parse(registration)));
}

export function findLeniency(registrations: readonly ClientRegistration[]): readonly Finding[] {
  return registrations
    .map((registration) => describeLeniency(registration, systemClock.now()))
    .filter((text) => text !== null)
    .map((text) => doubtful(`applications: ${text}`));
}

async function examineMigrations(db: Kysely<Database>, present: readonly string[]): Promise<readonly Finding[]> {
  if (present.length === 0) return [doubtful('database: it is empty. The first start makes the tables.')];
  const refused = await refusedMigrations(db);
  if (refused.length > 0)
    return [wrong(`database: a newer version changed it (${refused.join(', ')}). Start that version, or a later one.`)];
  const breaking = await breakingMigrations(db);
  if (breaking.length > 0)
    return [
      wrong(
        `database: servers of the version before cannot live with ${breaking.join(', ')}. Stop them, and run npx portal migrate --stopped.`,
      ),
    ];
  const pending = migrationNames.filter((name) => !present.includes(name));
  return pending.length === 0
    ? []
    : [doubtful(`database: ${pending.join(', ')} will run at the next start, or by npx portal migrate beforehand.`)];
}

/** Latest rows of the audit log to compare, and the least number for a result. */
const rows = { most: 300, least: 30 };

async function examineAddresses(
  db: Kysely<Database>,
  { proxies, loopback }: Pick<Config, 'proxies' | 'loopback'>,
): Promise<readonly Finding[]> {
  if (loopback) return [];
  const found = await db
    .selectFrom('audit')
    .select('address')
    .where('address', '<>', '')
    .orderBy('seq', 'desc')
    .limit(rows.most)
    .execute();
  if (found.length < rows.least) return [];
  const shared =
    'Citizens share their limits of tries: have the proxy send X-Forwarded-For, and name it in TRUST_PROXY.';
  const ofProxy = found.filter(({ address }) => Array.isArray(proxies) && isWithin(address, proxies)).length;
  if (ofProxy * 2 > found.length)
    return [
      doubtful(`addresses: most of what the audit log recorded last came from the address of the proxy. ${shared}`),
    ];
  const [first] = found;
  if (found.some(({ address }) => address !== first?.address)) return [];
  return [
    doubtful(
      `addresses: the last ${found.length} rows of the audit log came from one address, ${first?.address}. If it is a proxy: ${shared}`,
    ),
  ];
}
