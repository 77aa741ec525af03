import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { StartError } from '../base/errors.ts';
import type { DatabaseStore } from '../database/open-store.ts';
import { selectEncryptionKey } from './encryption-keys.ts';
import type { Config } from '../config/config.ts';
import { loadServerKeys, type ServerKeyName, type ServerKeys } from './load-server-keys.ts';
import { moveSigningKeyFirst } from './signing-keys.ts';

interface KeyFingerprint {
  readonly name: ServerKeyName;
  /** Id that does not reveal the key. */
  readonly fingerprint: string;
}

/** Returns the fingerprint of each key in use. */
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

/** Returns a message for the operator for each key that the database has accepted and `keys` lacks. Ignores kinds of keys that are absent from `keys`. */
export function describeMissingServerKeys(accepted: readonly KeyFingerprint[], keys: Partial<ServerKeys>) {
  const loaded = {
    signing: keys.signing?.map(({ kid }) => kid),
    decryption: keys.decryption?.map(({ kid }) => kid),
    encryption: keys.encryption?.keys.map(({ bytes }) => hashFingerprint(bytes)),
    captcha: keys.captcha && [hashFingerprint(keys.captcha)],
    audit: keys.audit?.map(({ kid }) => kid),
  };
  return accepted
    .filter((key) => loaded[key.name]?.includes(key.fingerprint) === false)
    .map(
      ({ name }) =>
        `The ${name} key is not the one that this database was filled with. Every replica needs the same keys (KEYS_DIR or ${name.toUpperCase()}_KEY): ` +
        'put the old one back, or accept the new one by `npx portal keys accept`.',
    );
}

/**
 * Loads the keys of a server. At the first start, stores their fingerprints as those of the accepted keys. If an accepted key is missing, throws a
 * `StartError` instead of generating one.
 */
export async function loadServerKeysMatchingFingerprints(
  store: DatabaseStore,
  config: Config['keys'],
  now: Date,
): Promise<ServerKeys> {
  const names = (await listStoredKeyFingerprints(store)).map(({ name }) => name);
  const keys = await loadServerKeys(config, names);
  await store.db
    .insertInto('accepted_keys')
    .values(fingerprintServerKeys(keys, now).map((key) => ({ ...key, accepted_at: now })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  await assertServerKeysMatchFingerprints(store, keys);
  return keys;
}

/**
 * Throws a `StartError` if an accepted key is missing, because the replica could not read other replicas' data. The accepted key may be one of several
 * keys of its name, so that a new key can be added beside it.
 */
export async function assertServerKeysMatchFingerprints(store: DatabaseStore, keys: Partial<ServerKeys>) {
  const foreign = describeMissingServerKeys(await listStoredKeyFingerprints(store), keys);
  if (foreign.length > 0) throw new StartError(foreign.join('\n'));
}

export interface StoredKeyFingerprint extends KeyFingerprint {
  readonly acceptedAt: Date;
}

export async function listStoredKeyFingerprints(
  store: Pick<DatabaseStore, 'db'>,
): Promise<readonly StoredKeyFingerprint[]> {
  return store.db
    .selectFrom('accepted_keys')
    .select(['name', 'fingerprint', 'accepted_at as acceptedAt'])
    .orderBy('name')
    .execute();
}

/** Stores the fingerprints of `keys` as those of the accepted keys. With `only`, stores only the fingerprint of the key with this name. */
export async function storeKeyFingerprints(store: DatabaseStore, keys: ServerKeys, now: Date, only?: ServerKeyName) {
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
