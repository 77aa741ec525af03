import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { StartError } from '../base/errors.ts';
import type { Store } from '../database/open-store.ts';
import { encryptingKey } from './encryption-keys.ts';
import type { Config } from '../config/config.ts';
import { loadKeys, type Keys } from './load-keys.ts';
import { signerFirst } from './signing-keys.ts';

/** Identifies a key without revealing it. */
export interface KeyFingerprint {
  readonly name: 'signing' | 'encryption' | 'captcha' | 'audit';
  readonly fingerprint: string;
}

const settingOf = {
  signing: 'SIGNING_KEY',
  encryption: 'ENCRYPTION_KEY',
  captcha: 'CAPTCHA_KEY',
  audit: 'AUDIT_KEY',
} as const;

/** Fingerprints of the keys in use: those that sign, encrypt, make captchas and seal. */
export function fingerprintKeys({ signing, encryption, captcha, audit }: Keys, now: Date): readonly KeyFingerprint[] {
  return [
    { name: 'signing', fingerprint: signerFirst(signing, now)[0].kid },
    { name: 'encryption', fingerprint: fingerprint(encryptingKey(encryption, now).bytes) },
    { name: 'captcha', fingerprint: fingerprint(captcha) },
    { name: 'audit', fingerprint: audit[0].kid },
  ];
}

/**
 * Throws a StartError for keys other than the accepted ones in the database, because the replica could not read what others wrote. The first keys are
 * accepted. Of several keys of one name, the accepted one must be among them, so that a new key can be added beside it.
 */
async function checkKeys(store: Store, keys: Keys, now: Date): Promise<void> {
  const loaded = fingerprintKeys(keys, now);
  await store.db
    .insertInto('accepted_keys')
    .values(loaded.map((key) => ({ ...key, accepted_at: now })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const foreign = foreignKeys(await acceptedKeys(store), keys);
  if (foreign.length > 0) throw new StartError(foreign.join('\n'));
}

/** Instructions for each accepted key that is missing. */
export function foreignKeys(accepted: readonly KeyFingerprint[], keys: Keys): readonly string[] {
  return accepted
    .filter(({ name, fingerprint: known }) => !fingerprintLoaded(keys, name).includes(known))
    .map(foreignText);
}

/** Loads the keys of a server. Throws a StartError instead of making a key in place of an accepted one. */
export async function loadKnownKeys(store: Store, config: Config['keys'], now: Date): Promise<Keys> {
  const accepted = await acceptedKeys(store);
  const keys = await loadKeys(
    config,
    accepted.map(({ name }) => name),
  );
  await checkKeys(store, keys, now);
  return keys;
}

/** Checks keys that were read again at run time. Throws a StartError if the accepted ones are missing. */
export async function checkReread(store: Store, keys: Pick<Keys, 'encryption' | 'signing'>): Promise<void> {
  const loaded = {
    encryption: keys.encryption.keys.map(({ bytes }) => fingerprint(bytes)),
    signing: keys.signing.map(({ kid }) => kid),
  };
  const foreign = (await acceptedKeys(store)).filter(
    ({ name, fingerprint: known }) => (name === 'encryption' || name === 'signing') && !loaded[name].includes(known),
  );
  if (foreign.length > 0) throw new StartError(foreign.map(foreignText).join('\n'));
}

export interface AcceptedKey extends KeyFingerprint {
  readonly acceptedAt: Date;
}

export async function acceptedKeys(store: Pick<Store, 'db'>): Promise<readonly AcceptedKey[]> {
  return store.db
    .selectFrom('accepted_keys')
    .select(['name', 'fingerprint', 'accepted_at as acceptedAt'])
    .orderBy('name')
    .execute();
}

/** Stores these keys as the accepted ones, all or only those of one name. */
export async function acceptKeys(store: Store, keys: Keys, now: Date, only?: KeyFingerprint['name']): Promise<void> {
  const accepted = fingerprintKeys(keys, now).filter(({ name }) => only === undefined || name === only);
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

function fingerprintLoaded({ encryption, captcha, ...keys }: Keys, name: KeyFingerprint['name']): readonly string[] {
  if (name === 'encryption') return encryption.keys.map(({ bytes }) => fingerprint(bytes));
  return name === 'captcha' ? [fingerprint(captcha)] : keys[name].map(({ kid }) => kid);
}

function fingerprint(key: Buffer): string {
  return createHmac('sha256', key).update('fingerprint').digest('base64url');
}

function foreignText({ name }: KeyFingerprint): string {
  return (
    `The ${name} key is not the one that this database was filled with. Every replica needs the same keys (KEYS_DIR or ${settingOf[name]}): ` +
    'put the old one back, or accept the new one by `npx portal keys accept`.'
  );
}
