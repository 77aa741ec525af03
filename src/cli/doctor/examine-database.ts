import { sql, type Kysely } from 'kysely';
import { deskPermissionResource } from '../../contract/desk-permissions.ts';
import { isIpInNetworks } from '../../server/platform/base/ip-addresses.ts';
import { addSeconds, systemClock } from '../../server/platform/base/clock.ts';
import { secondsPerDay } from '../../server/platform/base/fixed-periods.ts';
import type { Config } from '../../server/platform/config/config.ts';
import {
  listBreakingMigrations,
  migrationNames,
  listAppliedMigrations,
  listIncompatibleMigrations,
} from '../../server/platform/database/migrate.ts';
import { canChangeTables } from '../../server/platform/database/roles.ts';
import { minRsaBits } from '../../server/platform/keys/signing-keys.ts';
import type { Database } from '../../server/platform/database/schema.ts';
import { measureClockSkewMs, maxClockSkewMs } from '../../server/platform/jobs/clock-skew.ts';
import {
  describeLegacyExceptions,
  describeClientWeakness,
  type ClientRegistration,
} from '../../server/trust/federation/clients/client-registration.ts';
import {
  isMetadataExpired,
  readServiceProviderMetadata,
  type ServiceProviderMetadata,
} from '../../server/trust/federation/saml/metadata.ts';
import { describeShortRsaKey } from '../../server/trust/federation/saml/service-provider-registration.ts';
import {
  createDoctorWarning,
  createDoctorOk,
  openDatabaseProbe,
  createDoctorError,
  type DoctorFinding,
} from './examine-keys.ts';
import { describeError } from '../../server/platform/base/errors.ts';

export async function* examineDatabase(config: Config): AsyncGenerator<DoctorFinding> {
  const { databaseUrl: url, loopback } = config;
  if (url === null)
    return yield loopback
      ? createDoctorOk('database: embedded')
      : createDoctorWarning(
          'database: embedded. It survives the end of the process, not of the machine. Set DATABASE_URL.',
        );
  const db = openDatabaseProbe(url);
  try {
    const migrations = await listAppliedMigrations(db);
    yield* await collectDoctorFindings(examineTables(db, config, migrations));
  } catch (error) {
    yield createDoctorError(`database: it cannot be reached: ${describeError(error)}`);
  } finally {
    await db.destroy();
  }
}

export async function collectDoctorFindings(findings: AsyncIterable<DoctorFinding> | Iterable<DoctorFinding>) {
  const found: DoctorFinding[] = [];
  for await (const finding of findings) found.push(finding);
  return found;
}

async function* examineTables(
  db: Kysely<Database>,
  config: Config,
  migrations: readonly string[],
): AsyncGenerator<DoctorFinding> {
  yield* examineServer(db, config);
  if (!config.loopback && (await canChangeTables(db)))
    yield createDoctorWarning(
      'database: the role of DATABASE_URL can change tables, so an intruder can drop the triggers of the audit log. Serve with a role of its own, and migrate with DATABASE_OWNER_URL.',
    );
  if (migrations.length === 0)
    return yield createDoctorWarning('database: it is empty. The first start makes the tables.');
  yield* examineMigrations(db, migrations);
  if (!config.loopback) {
    yield* examineClientAddresses(db, config);
    yield* examineBackups(db);
  }
  const clients = await db.selectFrom('clients').select('registration').orderBy('id').execute();
  yield* examineClientRegistrations(
    clients.map(({ registration }) => JSON.parse(registration)),
    config,
  );
  yield* examineMetadata(db, config);
  if (!config.loopback) yield* examineAgents(db);
}

async function* examineServer(db: Kysely<Database>, { databasePool: pool }: Config): AsyncGenerator<DoctorFinding> {
  const { rows } = await sql<{ version: string; standby: boolean; most: number }>`
    select current_setting('server_version') as version, pg_is_in_recovery() as standby,
      current_setting('max_connections')::integer as most
  `.execute(db);
  const [row] = rows;
  if (!row) return yield createDoctorError('database: it answers nothing');
  yield createDoctorOk(`database: PostgreSQL ${row.version} answers`);
  if (row.standby) yield createDoctorError('database: DATABASE_URL leads to a standby, which takes no changes.');
  if (pool > row.most - 5)
    yield createDoctorError(
      `database: DATABASE_POOL is ${pool}, and PostgreSQL takes ${row.most} connections of all replicas.`,
    );
  const apartMs = Math.abs(await measureClockSkewMs(db, systemClock));
  if (apartMs > maxClockSkewMs)
    yield createDoctorWarning(`database: its clock is ${Math.round(apartMs / 1000)} s from this one.`);
}

/** Agents without a registered mailbox cannot sign in at the desk. */
async function* examineAgents(db: Kysely<Database>): AsyncGenerator<DoctorFinding> {
  const { rows } = await sql<{ agents: number }>`
    select count(*)::integer as agents from citizens
    where jsonb_array_length(permissions -> ${sql.lit(deskPermissionResource)}) > 0
      and not exists (select from agent_mailboxes m where m.citizen_id = citizens.id)`.execute(db);
  const agents = rows[0]?.agents ?? 0;
  if (agents > 0)
    yield createDoctorWarning(
      `agents: ${agents} without an institutional mailbox cannot sign in at the desk. Bind each with \`portal account mailbox DOCUMENT ADDRESS\`.`,
    );
}

export function* examineClientRegistrations(
  registrations: readonly ClientRegistration[],
  { loopback, strictClients }: Pick<Config, 'loopback' | 'strictClients'>,
): Generator<DoctorFinding> {
  const others = registrations.filter(({ profile }) => profile !== 'fapi2').map(({ id }) => id);
  if (others.length > 0)
    yield strictClients
      ? createDoctorError(
          `applications: CLIENTS_STRICT refuses ${others.join(', ')}. Register them with the profile fapi2.`,
        )
      : createDoctorOk(
          `applications: not of the profile fapi2: ${others.join(', ')}. CLIENTS_STRICT would refuse them.`,
        );
  for (const registration of registrations) {
    const text = describeLegacyExceptions(registration, systemClock.now());
    if (text !== null) yield createDoctorWarning(`applications: ${text}`);
    const weakness = loopback ? null : describeClientWeakness(registration);
    if (weakness !== null)
      yield createDoctorError(`applications: ${registration.id} is refused: ${weakness}. Register it again.`);
    yield* examineRsa2048Exception(registration);
  }
}

export function* examineRsa2048Exception({ id, rsa2048 }: { id: string; rsa2048?: boolean }): Generator<DoctorFinding> {
  if (rsa2048 === true)
    yield createDoctorWarning(
      `applications: ${id} may use RSA keys of 2048 bits (rsa2048). Ask for a key of ${minRsaBits} bits, or an EC key.`,
    );
}

async function* examineMetadata(
  db: Kysely<Database>,
  { loopback }: Pick<Config, 'loopback'>,
): AsyncGenerator<DoctorFinding> {
  const columns = ['id', 'metadata', 'registration', 'refresh_error'] as const;
  for (const row of await db.selectFrom('saml_providers').select(columns).orderBy('id').execute()) {
    let metadata: ServiceProviderMetadata;
    try {
      metadata = readServiceProviderMetadata(row.metadata);
    } catch (error) {
      yield createDoctorError(
        `applications: the metadata of ${row.id} cannot be used: ${describeError(error)}. Register it again.`,
      );
      continue;
    }
    if (row.refresh_error !== null)
      yield createDoctorWarning(
        `applications: the metadata of ${row.id} cannot be refreshed: ${row.refresh_error}.${describeContact(metadata)}`,
      );
    yield* examineSamlMetadataExpiry(row.id, metadata);
    const registration = JSON.parse(row.registration);
    const shortKey = loopback ? null : describeShortRsaKey({ registration, metadata });
    if (shortKey !== null)
      yield createDoctorError(`applications: ${row.id} is refused: ${shortKey}. Register it again.`);
    yield* examineRsa2048Exception(registration);
  }
}

const expiryNoticeS = 3 * secondsPerDay;

export function* examineSamlMetadataExpiry(id: string, metadata: ServiceProviderMetadata): Generator<DoctorFinding> {
  const { validUntil } = metadata;
  const now = systemClock.now();
  if (validUntil === null || validUntil > addSeconds(now, expiryNoticeS)) return;
  const until = `${validUntil.toISOString()}.${describeContact(metadata)}`;
  yield isMetadataExpired(metadata, now)
    ? createDoctorError(`applications: the requests of ${id} are refused: its metadata were valid until ${until}`)
    : createDoctorWarning(`applications: the metadata of ${id} are valid only until ${until}`);
}

function describeContact({ contact }: ServiceProviderMetadata): string {
  return contact === null ? '' : ` Its technical contact is ${contact}.`;
}

async function* examineMigrations(db: Kysely<Database>, present: readonly string[]): AsyncGenerator<DoctorFinding> {
  const refused = await listIncompatibleMigrations(db);
  const breaking = await listBreakingMigrations(db);
  const pending = migrationNames.filter((name) => !present.includes(name));
  if (refused.length > 0)
    yield createDoctorError(
      `database: a newer version changed it (${refused.join(', ')}). Start that version, or a later one.`,
    );
  else if (breaking.length > 0)
    yield createDoctorError(
      `database: servers of the previous version do not work with ${breaking.join(', ')}. Stop them, and run npx portal migrate --stopped.`,
    );
  else if (pending.length > 0)
    yield createDoctorWarning(
      `database: ${pending.join(', ')} will run at the next start, or by npx portal migrate beforehand.`,
    );
}

async function* examineBackups(db: Kysely<Database>): AsyncGenerator<DoctorFinding> {
  const last = await db.selectFrom('backups').select('at').orderBy('at', 'desc').executeTakeFirst();
  const hours = last === undefined ? null : Math.floor((Date.now() - last.at.getTime()) / 3_600_000);
  if (hours === null)
    yield createDoctorWarning(
      'backups: none is recorded. Run `npx portal backup` each night, or archive the write-ahead log.',
    );
  else if (hours > 26) yield createDoctorWarning(`backups: the last recorded one is ${hours} hours old.`);
  else yield createDoctorOk(`backups: the last one is ${hours} hours old`);
}

/** Checks the client addresses in the latest 300 rows of the audit log. Reports nothing if there are fewer than 30. */
async function* examineClientAddresses(
  db: Kysely<Database>,
  { proxies }: Pick<Config, 'proxies'>,
): AsyncGenerator<DoctorFinding> {
  const found = await db
    .selectFrom('audit')
    .select('address')
    .where('address', '<>', '')
    .orderBy('seq', 'desc')
    .limit(300)
    .execute();
  if (found.length < 30) return;
  const shared =
    'Citizens share their limits of tries: have the proxy send X-Forwarded-For, and name it in TRUST_PROXY.';
  const ofProxy = found.filter(({ address }) => Array.isArray(proxies) && isIpInNetworks(address, proxies)).length;
  const [first] = found;
  if (ofProxy * 2 > found.length)
    yield createDoctorWarning(
      `addresses: most of what the audit log recorded last came from the address of the proxy. ${shared}`,
    );
  else if (found.every(({ address }) => address === first?.address))
    yield createDoctorWarning(
      `addresses: the last ${found.length} rows of the audit log came from one address, ${first?.address}. If it is a proxy: ${shared}`,
    );
}
