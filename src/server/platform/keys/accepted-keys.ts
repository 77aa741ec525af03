import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { StartError } from '../base/errors.ts';
import type { DatabaseStore } from '../database/open-store.ts';
import { selectEncryptionKey } from './encryption-keys.ts';
import type { Config } from '../config/config.ts';
import { loadServerKeys, type ServerKeyName, type ServerKeys } from './load-keys.ts';
import { moveSigningKeyFirst } from './signing-keys.ts';

/** Id of a key that does not reveal the key. */
interface KeyFingerprint {
  readonly name: ServerKeyName;
  readonly fingerprint: string;
}

/** Returns the fingerprint of each key in use, by name. */
export function fingerprintServerKeys(keys: ServerKeys, now: Date): readonly KeyFingerprint[] {
  const { signing, encryption, decryption, captcha, audit } = keys;
  return [
    { name: 'signing', fingerprint: moveSigningKeyFirst(signing, now)[0].kid },
    { name: 'decryption', fingerprint: moveSigningKeyFirst(decryption, now)[0].kid },
    { name: 'encryption', fingerprint: hashFingerprint(selectEncryptionKey(encryption, now).bytes) },
    { name: 'captcha', fingerprint: hashFingerprint(captcha) },
    { name: 'audit', fingerprint: audit[0].kid },
  ];
}

/**
 * Throws a `StartError` if the keys differ from the accepted keys in the database, because the replica could not read other replicas' data. Accepts
 * the keys of the first start. If there are several keys of one name, the accepted key must be among them, so that a new key can be added beside it.
 */
async function assertAcceptedKeys(store: DatabaseStore, keys: ServerKeys, now: Date): Promise<void> {
  const loaded = fingerprintServerKeys(keys, now);
  await store.db
    .insertInto('accepted_keys')
    .values(loaded.map((key) => ({ ...key, accepted_at: now })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const foreign = describeMissingAcceptedKeys(await listAcceptedKeys(store), keys);
  if (foreign.length > 0) throw new StartError(foreign.join('\n'));
}

/**
 * Returns instructions for the operator, for each accepted key that is missing among the keys of its name. Ignores names that are absent from `keys`.
 */
export function describeMissingAcceptedKeys(
  accepted: readonly KeyFingerprint[],
  keys: Partial<ServerKeys>,
): readonly string[] {
  const loaded = {
    signing: keys.signing?.map(({ kid }) => kid),
    decryption: keys.decryption?.map(({ kid }) => kid),
    encryption: keys.encryption?.keys.map(({ bytes }) => hashFingerprint(bytes)),
    captcha: keys.captcha && [hashFingerprint(keys.captcha)],
    audit: keys.audit?.map(({ kid }) => kid),
  };
  return accepted.filter((key) => loaded[key.name]?.includes(key.fingerprint) === false).map(describeMissingKey);
}

/** Loads the keys of a server. If an accepted key is missing, throws a `StartError` instead of generating a new key. */
export async function loadAcceptedKeys(store: DatabaseStore, config: Config['keys'], now: Date): Promise<ServerKeys> {
  const names = (await listAcceptedKeys(store)).map(({ name }) => name);
  const keys = await loadServerKeys(config, names);
  await assertAcceptedKeys(store, keys, now);
  return keys;
}

/** Throws a `StartError` if accepted keys are missing among keys that were reread at run time. */
export async function assertRereadKeysAccepted(
  store: DatabaseStore,
  keys: Pick<ServerKeys, 'decryption' | 'encryption' | 'signing'>,
): Promise<void> {
  const foreign = describeMissingAcceptedKeys(await listAcceptedKeys(store), keys);
  if (foreign.length > 0) throw new StartError(foreign.join('\n'));
}

export interface AcceptedKey extends KeyFingerprint {
  readonly acceptedAt: Date;
}

export async function listAcceptedKeys(store: Pick<DatabaseStore, 'db'>): Promise<readonly AcceptedKey[]> {
  return store.db
    .selectFrom('accepted_keys')
    .select(['name', 'fingerprint', 'accepted_at as acceptedAt'])
    .orderBy('name')
    .execute();
}

/** Stores the fingerprints of `keys` as those of the accepted keys. With `only`, stores only the fingerprint of that name. */
export async function storeAcceptedKeys(
  store: DatabaseStore,
  keys: ServerKeys,
  now: Date,
  only?: ServerKeyName,
): Promise<void> {
  const accepted = fingerprintServerKeys(keys, now).filter(({ name }) => only === undefined || name === only);
  await store.db
    .insertInto('accepted_keys')
    .values(accepted.map((key) => ({ ...key, accepted_at: now })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ ref }) => ({
        fingerprint: ref('excluded.fingerprint'),
        accepted_at: sql<Date>`case when accepted_keys.fingerprint = ${ref('excluded.fingerprint')} then accepted_keys.accepted_at else ${ref('excluded.accepted_at')} end`,
      })),
    )
    .execute();
}

function hashFingerprint(key: Buffer): string {
  return createHmac('sha256', key).update('fingerprint').digest('base64url');
}

function describeMissingKey({ name }: KeyFingerprint): string {
  return (
    `The ${name} key is not the one that this database was filled with. Every replica needs the same keys (KEYS_DIR or ${name.toUpperCase()}_KEY): ` +
    'put the old one back, or accept the new one by `npx portal keys accept`.'
  );
}
