import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { pino } from 'pino';
import type { Config } from '../../server/platform/config/config.ts';
import { listAppliedMigrations } from '../../server/platform/database/migrate.ts';
import { createPostgresDialect } from '../../server/platform/database/postgres-dialect.ts';
import type { Database } from '../../server/platform/database/schema.ts';
import {
  listStoredKeyFingerprints,
  describeMissingServerKeys,
  type StoredKeyFingerprint,
} from '../../server/platform/keys/key-fingerprints.ts';
import { isKeyRotationOverdue, listKeyInventory } from '../../server/platform/keys/key-inventory.ts';
import { minRsaBits } from '../../server/platform/keys/signing-keys.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import {
  assertKeyStrength,
  keyFileNames,
  loadServerKeys,
  keyTextParsers,
  type ServerKeyName,
  type ServerKeys,
} from '../../server/platform/keys/load-server-keys.ts';
import { describeError } from '../../server/platform/base/errors.ts';

/** `wrong` means that the server does not start or does not work. */
export interface DoctorFinding {
  readonly kind: 'fine' | 'doubtful' | 'wrong';
  readonly text: string;
}

export const createDoctorOk = (text: string): DoctorFinding => ({ kind: 'fine', text });
export const createDoctorWarning = (text: string): DoctorFinding => ({ kind: 'doubtful', text });
export const createDoctorError = (text: string): DoctorFinding => ({ kind: 'wrong', text });

const keyNames = Object.keys(keyFileNames) as readonly ServerKeyName[]; // `Object.keys` returns `string[]`

/** Opens a database connection for checks. The caller must close it with `destroy`. */
export function openDatabaseProbe(url: string): Kysely<Database> {
  const { dialect } = createPostgresDialect({ url, pool: 1, log: pino({ level: 'silent' }), statementLimitMs: 5_000 });
  return new Kysely<Database>({ dialect });
}

/** Checks each key, and compares the keys with those that the database has accepted. Creates no key. */
export async function* examineKeys(config: Config): AsyncGenerator<DoctorFinding> {
  const accepted = await readAcceptedKeys(config);
  let isFaulty = false;
  for (const name of keyNames)
    for await (const finding of examineKey(name, config, accepted)) {
      isFaulty = true;
      yield finding;
    }
  if (isFaulty) return;
  const keys = await loadServerKeys(config.keys, keyNames);
  const foreign = describeMissingServerKeys(accepted ?? [], keys);
  if (foreign.length > 0) return yield* foreign.map((text) => createDoctorError(`keys: ${text}`));
  yield createDoctorOk('keys: all are there, and nobody else may read them');
  yield* examineKeyAges(keys, accepted ?? []);
  if (!config.loopback) yield* examineKeyStrength(keys);
}

function* examineKeyAges(keys: ServerKeys, accepted: readonly StoredKeyFingerprint[]): Generator<DoctorFinding> {
  const now = systemClock.now();
  const rotate = 'Rotate it (`npx portal keys --help`).';
  for (const entry of listKeyInventory(keys, accepted, now)) {
    const { use, id, algorithm, bits, periodDays } = entry;
    if (isKeyRotationOverdue(entry, now))
      yield createDoctorWarning(
        `keys: the ${use} key ${id} has been in use for more than ${periodDays} days. ${rotate}`,
      );
    else if (algorithm === 'RSA' && bits < minRsaBits)
      yield createDoctorWarning(
        `keys: the ${use} key ${id} has ${bits} bits, and new ones have ${minRsaBits}. ${rotate}`,
      );
  }
}

/** Reports weak keys, because the server does not start with them. */
function* examineKeyStrength(keys: ServerKeys): Generator<DoctorFinding> {
  try {
    assertKeyStrength(keys, systemClock.now());
  } catch (error) {
    yield* describeError(error)
      .split('\n')
      .map((text) => createDoctorError(`keys: ${text}`));
  }
}

async function* examineKey(
  name: ServerKeyName,
  { keys: given, dataDir }: Config,
  accepted: readonly StoredKeyFingerprint[] | null,
): AsyncGenerator<DoctorFinding> {
  const path = join(given.dir, keyFileNames[name]);
  const setting = given[name];
  const info = setting === null ? await stat(path).catch(() => null) : null;
  if (setting === null && info === null) {
    if (accepted === null)
      yield createDoctorError(
        `keys: ${path} is missing, and its setting too. The first replica makes it when it starts; every other one needs a copy.`,
      );
    else if (accepted.some((key) => key.name === name))
      yield createDoctorError(
        `keys: ${path} is missing. The database of ${dataDir} or DATABASE_URL was filled with it: put it back from your copy.`,
      );
    else
      yield createDoctorWarning(
        `keys: ${path} is made at the first start. Keep a copy of it, and copy it to every replica.`,
      );
    return;
  }
  if (info !== null && (info.mode & 0o077) !== 0)
    yield createDoctorError(`keys: others may read ${path}. Set its mode to 0600.`);
  try {
    await keyTextParsers[name](setting ?? (await readFile(path, 'utf8')));
  } catch (error) {
    yield createDoctorError(`keys: ${setting === null ? path : name} cannot be read: ${describeError(error)}`);
  }
}

/** Returns `null` if the database cannot be read: an embedded one cannot be opened while its server runs. */
async function readAcceptedKeys({ databaseUrl: url, dataDir }: Config) {
  if (url === null) {
    const isFilled = (await stat(join(dataDir, 'database')).catch(() => null)) !== null;
    return isFilled ? null : [];
  }
  const db = openDatabaseProbe(url);
  try {
    return (await listAppliedMigrations(db)).length === 0 ? [] : await listStoredKeyFingerprints({ db });
  } catch {
    return null; // reports nothing here, because the database check reports the reason
  } finally {
    await db.destroy();
  }
}
