import { createHmac } from 'node:crypto';
import { StartError } from '../base/start-error.ts';
import type { Store } from '../database/open-store.ts';
import { encryptingKey } from './encryption-keys.ts';
import type { Config } from '../config/config.ts';
import { loadKeys, type Keys } from './load-keys.ts';
import { signerFirst } from './signing-keys.ts';

/** What tells a key from another one, and nothing of it. */
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

/** The keys that sign, encrypt and challenge now. */
export function fingerprintKeys({ signing, encryption, captcha, audit }: Keys, now: Date): readonly KeyFingerprint[] {
  return [
    { name: 'signing', fingerprint: signerFirst(signing, now)[0].kid },
    { name: 'encryption', fingerprint: fingerprint(encryptingKey(encryption, now).bytes) },
    { name: 'captcha', fingerprint: fingerprint(captcha) },
    { name: 'audit', fingerprint: audit[0].kid },
  ];
}

/**
 * Refuses keys other than those that the database knows, by a StartError: with them a replica could not read what the others wrote. The
 * first keys become the known ones. A key of several is known as long as it stands among the loaded ones, so that a new one can be put beside it.
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

/** What to do about each key that the database knows and that is not among these. */
export function foreignKeys(accepted: readonly KeyFingerprint[], keys: Keys): readonly string[] {
  return accepted
    .filter(({ name, fingerprint: known }) => !fingerprintLoaded(keys, name).includes(known))
    .map(foreignText);
}

/** Loads the keys of a server. None is made in place of one that the database knows: that throws a StartError. */
export async function loadKnownKeys(store: Store, config: Config['keys'], now: Date): Promise<Keys> {
  const accepted = await acceptedKeys(store);
  const keys = await loadKeys(
    config,
    accepted.map(({ name }) => name),
  );
  await checkKeys(store, keys, now);
  return keys;
}

/** Refuses keys that were read again while the server runs, if they lack the one that the database knows. Throws a StartError. */
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

export async function acceptedKeys(store: Pick<Store, 'db'>): Promise<readonly KeyFingerprint[]> {
  return store.db.selectFrom('accepted_keys').select(['name', 'fingerprint']).orderBy('name').execute();
}

/** Makes these keys the known ones, all or that of a name. */
export async function acceptKeys(store: Store, keys: Keys, now: Date, only?: KeyFingerprint['name']): Promise<void> {
  const accepted = fingerprintKeys(keys, now).filter(({ name }) => only === undefined || name === only);
  await store.db
    .insertInto('accepted_keys')
    .values(accepted.map((key) => ({ ...key, accepted_at: now })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ ref }) => ({
        fingerprint: ref('excluded.fingerprint'),
        accepted_at: ref('excluded.accepted_at'),
      })),
    )
    .execute();
}

/** The fingerprints of all keys of a name. */
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
