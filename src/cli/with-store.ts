import { pino } from 'pino';
import { AuditWriter } from '../server/platform/audit/audit-writer.ts';
import type { Config } from '../server/platform/config/config.ts';
import { ConfigError, readConfig } from '../server/platform/config/read-config.ts';
import { StartError } from '../server/platform/base/start-error.ts';
import { DataFolderInUse } from '../server/platform/database/data-lock.ts';
import { openStore, type Store } from '../server/platform/database/open-store.ts';
import { DatabaseUnavailable } from '../server/platform/database/unavailable.ts';
import { loadKeys, readAuditKeys } from '../server/platform/keys/load-keys.ts';

/** A mistake of who called the command. */
export class UsageError extends Error {}

/** What of a command's usage is the same for all that open the database. */
export const databaseUsage =
  "The database is the server's, by the same settings. The embedded one can be opened while the server is stopped only.\n";

const tellable = [UsageError, ConfigError, StartError, DataFolderInUse, DatabaseUnavailable];

/** Whether a command is asked what it does. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

/** Runs a command of the command line on the server's database; what its caller can mend is said, and ends the process with 1. */
export async function withStore(usage: string, work: (store: Store, config: Config) => Promise<void>): Promise<void> {
  if (asksForHelp(process.argv.slice(2))) {
    process.stdout.write(usage + databaseUsage);
    return;
  }
  try {
    const config = readConfig(process.env);
    const store = await openStore(
      config.databaseUrl === null ? { folder: config.dataDir } : { url: config.databaseUrl, pool: 1 },
      pino({ level: 'silent' }),
    );
    try {
      await work(store, config);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof Error) || !tellable.some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`${error.message}\n${error instanceof UsageError ? usage + databaseUsage : ''}`);
    process.exitCode = 1;
  }
}

/**
 * Writer of the audit rows of a command line tool, by the server's key. Beside the embedded database a key is made if there is none, as the
 * server does; a key that were made beside a shared database would be known to no replica, so there a StartError is thrown.
 */
export async function auditWriter({ keys, databaseUrl }: Config): Promise<AuditWriter> {
  const [key] = databaseUrl === null ? (await loadKeys(keys)).audit : await readAuditKeys(keys);
  return new AuditWriter(key);
}
