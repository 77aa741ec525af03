import { Migrator, sql, type Kysely, type Migration } from 'kysely';
import { StartError } from '../base/start-error.ts';
import { foundation } from './migrations/001-foundation.ts';
import { secondFactor } from './migrations/002-second-factor.ts';
import { oidc } from './migrations/003-oidc.ts';
import { account } from './migrations/004-account.ts';
import { signature } from './migrations/005-signature.ts';
import { passkeys } from './migrations/006-passkeys.ts';
import { sessions } from './migrations/007-sessions.ts';
import { messages } from './migrations/008-messages.ts';
import { documents } from './migrations/009-documents.ts';
import { keys } from './migrations/010-keys.ts';
import { mails } from './migrations/011-mails.ts';
import { credentialChanges } from './migrations/012-credential-changes.ts';
import { actors } from './migrations/013-actors.ts';
import { upkeep } from './migrations/014-upkeep.ts';
import { mailOwners } from './migrations/015-mail-owners.ts';
import { logos } from './migrations/016-logos.ts';
import { auditSeals } from './migrations/017-audit-seals.ts';
import { agenda } from './migrations/018-agenda.ts';
import { videoRoom } from './migrations/019-video-room.ts';
import { desk } from './migrations/020-desk.ts';
import { saml } from './migrations/021-saml.ts';
import { providers } from './migrations/022-providers.ts';
import { card } from './migrations/023-card.ts';
import { wallet } from './migrations/024-wallet.ts';
import { foreignRecords } from './migrations/025-foreign-records.ts';
import { providerRefusals } from './migrations/026-provider-refusals.ts';
import { savedFlows } from './migrations/027-saved-flows.ts';
import { cardChecks } from './migrations/028-card-checks.ts';
import { callMeetings } from './migrations/029-call-meetings.ts';
import { spentRecoveryCodes } from './migrations/030-spent-recovery-codes.ts';
import { agentActs } from './migrations/031-agent-acts.ts';
import { supportByAccount } from './migrations/032-support-by-account.ts';
import { extraFields } from './migrations/033-extra-fields.ts';
import { providerKeys } from './migrations/034-provider-keys.ts';
import { auditDigests } from './migrations/035-audit-digests.ts';
import { mailboxIndex } from './migrations/036-mailbox-index.ts';
import { sessionEnds } from './migrations/037-session-ends.ts';
import { authenticatedAt } from './migrations/038-authenticated-at.ts';
import { contactMailbox } from './migrations/039-contact-mailbox.ts';
import { callMailbox } from './migrations/040-call-mailbox.ts';
import { definitions } from './migrations/041-definitions.ts';
import { moduleDigest } from './migrations/042-module-digest.ts';
import { mailSubject } from './migrations/044-mail-subject.ts';
import { growthIndexes } from './migrations/045-growth-indexes.ts';
import { challengesAlike } from './migrations/046-challenges-alike.ts';
import { contactDue } from './migrations/047-contact-due.ts';
import { callNetwork } from './migrations/048-call-network.ts';
import { agentSignIns } from './migrations/051-agent-sign-ins.ts';
import { passwordReset } from './migrations/053-password-reset.ts';
import { factorsAct } from './migrations/055-factors-act.ts';
import { closureAct } from './migrations/058-closure-act.ts';
import { mailSender } from './migrations/059-mail-sender.ts';
import { buildIndexes, type IndexMigration } from './index-migration.ts';
import type { Database } from './schema.ts';

/** Every migration in order; a published one is never changed. */
const migrations = {
  '001-foundation': foundation,
  '002-second-factor': secondFactor,
  '003-oidc': oidc,
  '004-account': account,
  '005-signature': signature,
  '006-passkeys': passkeys,
  '007-sessions': sessions,
  '008-messages': messages,
  '009-documents': documents,
  '010-keys': keys,
  '011-mails': mails,
  '012-credential-changes': credentialChanges,
  '013-actors': actors,
  '014-upkeep': upkeep,
  '015-mail-owners': mailOwners,
  '016-logos': logos,
  '017-audit-seals': auditSeals,
  '018-agenda': agenda,
  '019-video-room': videoRoom,
  '020-desk': desk,
  '021-saml': saml,
  '022-providers': providers,
  '023-card': card,
  '024-wallet': wallet,
  '025-foreign-records': foreignRecords,
  '026-provider-refusals': providerRefusals,
  '027-saved-flows': savedFlows,
  '028-card-checks': cardChecks,
  '029-call-meetings': callMeetings,
  '030-spent-recovery-codes': spentRecoveryCodes,
  '031-agent-acts': agentActs,
  '032-support-by-account': supportByAccount,
  '033-extra-fields': extraFields,
  '034-provider-keys': providerKeys,
  '035-audit-digests': auditDigests,
  '036-mailbox-index': mailboxIndex,
  '037-session-ends': sessionEnds,
  '038-authenticated-at': authenticatedAt,
  '039-contact-mailbox': contactMailbox,
  '040-call-mailbox': callMailbox,
  '041-definitions': definitions,
  '042-module-digest': moduleDigest,
  '044-mail-subject': mailSubject,
  '045-growth-indexes': growthIndexes,
  '046-challenges-alike': challengesAlike,
  '047-contact-due': contactDue,
  '048-call-network': callNetwork,
  '051-agent-sign-ins': agentSignIns,
  '053-password-reset': passwordReset,
  '055-factors-act': factorsAct,
  '058-closure-act': closureAct,
  '059-mail-sender': mailSender,
} satisfies Record<string, Migration | IndexMigration>;

/**
 * Those that leave the version before them working, so that old replicas run on, and start again, while new ones come: they add what the old
 * version does not look at.
 */
const compatible = [
  '010-keys',
  '011-mails',
  '012-credential-changes',
  '013-actors',
  '014-upkeep',
  '015-mail-owners',
  '016-logos',
  '018-agenda',
  '019-video-room',
  '020-desk',
  '021-saml',
  '023-card',
  '024-wallet',
  '025-foreign-records',
  '026-provider-refusals',
  '027-saved-flows',
  '028-card-checks',
  '029-call-meetings',
  '030-spent-recovery-codes',
  '031-agent-acts',
  '032-support-by-account',
  '033-extra-fields',
  '035-audit-digests',
  '036-mailbox-index',
  '037-session-ends',
  '038-authenticated-at',
  '039-contact-mailbox',
  '040-call-mailbox',
  '041-definitions',
  '042-module-digest',
  '044-mail-subject',
  '045-growth-indexes',
  '046-challenges-alike',
  '047-contact-due',
  '048-call-network',
  '051-agent-sign-ins',
  '053-password-reset',
  '055-factors-act',
  '058-closure-act',
  '059-mail-sender',
] as const satisfies readonly (keyof typeof migrations)[];

/** Names of every migration, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Those of them that leave the version before working. */
export const compatibleMigrations: readonly string[] = compatible;

/** What a database with tables lacks and servers of the version before cannot live with: they must be stopped before. */
export async function breakingMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  const present = await migrationsOf(db);
  if (present.length === 0) return [];
  return migrationNames.filter((name) => !present.includes(name) && !compatibleMigrations.includes(name));
}

/**
 * Brings the tables up to date, or to a migration that is named; the adapter's advisory lock lets one replica at a time do it. Indexes are built
 * before the migration that adds them, so that nobody waits for a large table. Answers the migrations that it ran. Throws what failed, and a StartError where a newer version has changed the tables in a way that this one cannot live with.
 */
export async function migrate(db: Kysely<Database>, to?: string): Promise<readonly string[]> {
  const newer = await newerMigrations(db);
  const refused = await refusedMigrations(db);
  if (refused.length > 0) throw new StartError(newerText(refused));
  const known: Record<string, Migration> = {
    ...migrations,
    ...Object.fromEntries(newer.map(({ name }) => [name, done])),
  };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } });
  const ran: string[] = [];
  const run = async (target: string | undefined): Promise<void> => {
    const { error, results = [] } = await (target === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(target));
    if (error !== undefined) throw error;
    ran.push(...results.map(({ migrationName }) => migrationName));
  };
  for (const { indexes, before } of await indexesToBuild(db, to)) {
    await run(before);
    await buildIndexes(db, indexes);
  }
  await run(to);
  if (to === undefined)
    await db
      .insertInto('compatible_migrations')
      .values(compatible.map((name) => ({ name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return ran;
}

/** The indexes that a database with tables lacks up to a migration, each with the migration before; a new database has no rows to look at. */
async function indexesToBuild(db: Kysely<Database>, to: string | undefined) {
  const present = await migrationsOf(db);
  if (present.length === 0) return [];
  const all: readonly [string, Migration | IndexMigration][] = Object.entries(migrations);
  return all
    .slice(0, to === undefined ? undefined : migrationNames.indexOf(to) + 1)
    .flatMap(([name, migration], index) =>
      'indexes' in migration && !present.includes(name)
        ? [{ indexes: migration.indexes, before: migrationNames[index - 1] ?? name }]
        : [],
    );
}

/** Names of the migrations that a database has, in order; none for an empty one. */
export async function migrationsOf(db: Kysely<Database>): Promise<readonly string[]> {
  return namesIn(db, 'kysely_migration');
}

/** A migration of a newer version, which the database has. */
const done: Migration = {
  up: () => Promise.reject(new Error('a migration of a newer version was not expected to be missing')),
};

/** What the database has and this version does not know, and whether its version said that the one before lives with it. */
async function newerMigrations(db: Kysely<Database>): Promise<readonly { name: string; isCompatible: boolean }[]> {
  const lived = new Set(await namesIn(db, 'compatible_migrations'));
  return (await migrationsOf(db))
    .filter((name) => !(name in migrations))
    .map((name) => ({ name, isCompatible: lived.has(name) }));
}

/** Migrations of a newer version that this version cannot live with. */
export async function refusedMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  return (await newerMigrations(db)).filter(({ isCompatible }) => !isCompatible).map(({ name }) => name);
}

async function namesIn(db: Kysely<Database>, table: string): Promise<readonly string[]> {
  const {
    rows: [found],
  } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(db);
  if (!found?.exists) return [];
  return (await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );
}

function newerText(names: readonly string[]): string {
  return `The database is newer than this version, which cannot run beside ${names.join(', ')}: start the version that brought it up to date, or a later one.`;
}
