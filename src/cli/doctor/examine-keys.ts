import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { pino } from 'pino';
import type { Config } from '../../server/platform/config/config.ts';
import { listAppliedMigrations } from '../../server/platform/database/migrate.ts';
import { createPostgresDialect } from '../../server/platform/database/postgres-dialect.ts';
import type { Database } from '../../server/platform/database/schema.ts';
import { listAcceptedKeys, describeMissingKeys, type AcceptedKey } from '../../server/platform/keys/accepted-keys.ts';
import { isOverdue, listKeyInventory } from '../../server/platform/keys/key-inventory.ts';
import { minRsaBits } from '../../server/platform/keys/signing-keys.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import {
  assertKeyStrength,
  keyFiles,
  loadKeys,
  readKeyText,
  type KeyName,
  type Keys,
} from '../../server/platform/keys/load-keys.ts';
import { formatError } from '../command.ts';

/** Result of a check of `portal doctor`. `wrong` means that the server does not start or does not work. */
export interface Finding {
  readonly kind: 'fine' | 'doubtful' | 'wrong';
  readonly text: string;
}

export const createOkFinding = (text: string): Finding => ({ kind: 'fine', text });
export const createWarning = (text: string): Finding => ({ kind: 'doubtful', text });
export const createError = (text: string): Finding => ({ kind: 'wrong', text });

const keyNames = Object.keys(keyFiles) as readonly KeyName[]; // `Object.keys` returns `string[]`

/** Opens a PostgreSQL connection for the checks. The caller closes it with `destroy`. */
export function openProbeConnection(url: string): Kysely<Database> {
  const { dialect } = createPostgresDialect({ url, pool: 1, log: pino({ level: 'silent' }), statementLimitMs: 5_000 });
  return new Kysely<Database>({ dialect });
}

/**
 * Checks each key in an environment variable or in KEYS_DIR, and compares the keys with those that the database has
 * accepted. Creates no key.
 */
export async function* examineKeys(config: Config): AsyncGenerator<Finding> {
  const accepted = await readAcceptedKeys(config);
  let isFaulty = false;
  for (const name of keyNames)
    for await (const finding of examineKey(name, config, accepted)) {
      isFaulty = true;
      yield finding;
    }
  if (isFaulty) return;
  const keys = await loadKeys(config.keys, keyNames);
  const foreign = describeMissingKeys(accepted ?? [], keys);
  if (foreign.length > 0) return yield* foreign.map((text) => createError(`keys: ${text}`));
  yield createOkFinding('keys: all are there, and nobody else may read them');
  yield* examineAges(keys, accepted ?? []);
  if (!config.loopback) yield* examineStrength(keys);
}

/** Reports keys that are due for rotation. */
function* examineAges(keys: Keys, accepted: readonly AcceptedKey[]): Generator<Finding> {
  const now = systemClock.now();
  const rotate = 'Rotate it (`npx portal keys --help`).';
  for (const entry of listKeyInventory(keys, accepted, now)) {
    const { use, id, algorithm, bits, periodDays } = entry;
    if (isOverdue(entry, now))
      yield createWarning(`keys: the ${use} key ${id} has been in use for more than ${periodDays} days. ${rotate}`);
    else if (algorithm === 'RSA' && bits < minRsaBits)
      yield createWarning(`keys: the ${use} key ${id} has ${bits} bits, and new ones have ${minRsaBits}. ${rotate}`);
  }
}

/** Reports keys that prevent the server from starting, because they are too weak. */
function* examineStrength(keys: Keys): Generator<Finding> {
  try {
    assertKeyStrength(keys, systemClock.now());
  } catch (error) {
    yield* formatError(error)
      .split('\n')
      .map((text) => createError(`keys: ${text}`));
  }
}

async function* examineKey(
  name: KeyName,
  { keys: given, dataDir }: Config,
  accepted: readonly AcceptedKey[] | null,
): AsyncGenerator<Finding> {
  const path = join(given.dir, keyFiles[name]);
  const setting = given[name];
  const info = setting === null ? await stat(path).catch(() => null) : null;
  if (setting === null && info === null) {
    if (accepted === null)
      yield createError(
        `keys: ${path} is missing, and its setting too. The first replica makes it when it starts; every other one needs a copy.`,
      );
    else if (accepted.some((key) => key.name === name))
      yield createError(
        `keys: ${path} is missing. The database of ${dataDir} or DATABASE_URL was filled with it: put it back from your copy.`,
      );
    else
      yield createWarning(`keys: ${path} is made at the first start. Keep a copy of it, and copy it to every replica.`);
    return;
  }
  if (info !== null && (info.mode & 0o077) !== 0)
    yield createError(`keys: others may read ${path}. Set its mode to 0600.`);
  try {
    await readKeyText[name](setting ?? (await readFile(path, 'utf8')));
  } catch (error) {
    yield createError(`keys: ${setting === null ? path : name} cannot be read: ${formatError(error)}`);
  }
}

/**
 * Reads the accepted keys from the database. Returns `null` if it cannot be read. An embedded database cannot be opened
 * while its server runs.
 */
async function readAcceptedKeys({ databaseUrl: url, dataDir }: Config): Promise<readonly AcceptedKey[] | null> {
  if (url === null) {
    const isFilled = (await stat(join(dataDir, 'database')).catch(() => null)) !== null;
    return isFilled ? null : [];
  }
  const db = openProbeConnection(url);
  try {
    return (await listAppliedMigrations(db)).length === 0 ? [] : await listAcceptedKeys({ db });
  } catch {
    return null; // the database check reports the reason
  } finally {
    await db.destroy();
  }
}
