import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { mailTemplates } from '../../server/app/server-modules.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { AuditWriter } from '../../server/platform/audit/audit-writer.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import {
  locateDatabase,
  openDatabase,
  openDatabaseStore,
  type DatabaseStore,
  type DatabaseLocation,
} from '../../server/platform/database/open-store.ts';
import { grantServerPrivileges } from '../../server/platform/database/roles.ts';
import { loadServerKeys, readAuditKeys } from '../../server/platform/keys/load-server-keys.ts';
import { loadMailTemplates } from '../../server/platform/mail/load-mail-templates.ts';
import {
  createDatabaseCommandRunner,
  type DatabaseCommandRunner,
} from '../../server/trust/notices/database-commands.ts';
import type { Terminal } from '../command.ts';

export interface CliStoreContext {
  readonly store: DatabaseStore;
  readonly config: Config;
}

export type CliStoreCommandsContext = CliStoreContext & { readonly commands: DatabaseCommandRunner };

export function readServerConfig({ env }: Terminal): Config {
  return readConfig(readEnvironment(env));
}

export async function withStore<T>(terminal: Terminal, work: (opened: CliStoreContext) => Promise<T>): Promise<T> {
  const config = readServerConfig(terminal);
  if (config.databaseUrl === null && !existsSync(config.dataDir))
    terminal.err(`There was nothing in DATA_DIR (${config.dataDir}): a new database is made there.\n`);
  const store = await openDatabaseStore(locateDatabase(config, 1), silentLog);
  try {
    return await work({ store, config });
  } finally {
    await store.close();
  }
}

/** Calls `work` with the database, as the role that owns the tables. Then grants the server's role its privileges. Does not migrate the database. */
export function withOwnerDatabase<T>(config: Config, work: (db: DatabaseStore['db']) => Promise<T>): Promise<T> {
  const { databaseUrl, databaseOwnerUrl } = config;
  if (databaseUrl === null || databaseOwnerUrl === null) return withDatabase(locateDatabase(config, 1), work);
  return withDatabase({ url: databaseOwnerUrl, pool: 1 }, async (db) => {
    const result = await work(db);
    await grantServerPrivileges(db, databaseUrl);
    return result;
  });
}

/** Does not migrate the database. Throws a StartError if it cannot be opened. */
export async function withDatabase<T>(location: DatabaseLocation, work: (db: DatabaseStore['db']) => Promise<T>) {
  const { db, close } = await openDatabase(location, silentLog);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

const silentLog = pino({ level: 'silent' });

export function withStoreAndCommands<T>(terminal: Terminal, work: (opened: CliStoreCommandsContext) => Promise<T>) {
  return withStore(terminal, async ({ store, config }) => {
    const auditWriter = await openAuditWriter(config);
    const templates = await loadMailTemplates(mailTemplates, config.baseUrl);
    const commands = createDatabaseCommandRunner({ store, auditWriter, clock: systemClock, config, templates });
    return work({ store, config, commands });
  });
}

/**
 * Creates a missing audit key for the embedded database, as the server does. Throws a StartError if the key for a
 * PostgreSQL database is missing, because other replicas would not have a created key.
 */
async function openAuditWriter({ keys, databaseUrl }: Config): Promise<AuditWriter> {
  const [key] = databaseUrl === null ? (await loadServerKeys(keys)).audit : await readAuditKeys(keys);
  return new AuditWriter(key);
}

export function isEmailAddress(word: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(word);
}
