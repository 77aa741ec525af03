import { createHmac, randomBytes } from 'node:crypto';
import { splitList } from '../base/normalize-input.ts';

export interface EncryptionKey {
  /** Id that does not reveal the key. It prefixes the texts that the key encrypts. */
  readonly id: string;
  readonly bytes: Buffer;
  /** Time from which the key encrypts. `null` for the first key, whose ciphertexts have no prefix. */
  readonly since: Date | null;
}

/** Purposes of keys that are derived from an encryption key. */
const derivedNames = ['digest', 'saml-pairwise', 'oidc-pairwise', 'oidc-cookies'] as const;
type DerivedName = (typeof derivedNames)[number];

/** Keys that are derived from an encryption key. They outlive it, because MACs of passkeys and pairwise identifiers depend on them. */
export interface DerivedKeyVersion {
  /** Id of the encryption key, which prefixes digests. Empty for the first key. */
  readonly id: string;
  /** Time from which the keys are used. `null` for those of the first encryption key. */
  readonly since: Date | null;
  readonly keys: Readonly<Record<DerivedName, Buffer>>;
}

/** Encryption keys, and the keys derived from them and from retired ones, oldest first. */
export interface EncryptionKeys {
  readonly keys: readonly [EncryptionKey, ...EncryptionKey[]];
  readonly derived: readonly [DerivedKeyVersion, ...DerivedKeyVersion[]];
}

export function generateEncryptionKey(): string {
  return randomBytes(32).toString('base64');
}

/**
 * Parses `encryption.key` or ENCRYPTION_KEY. A line is `<32 bytes in base64> <time from which the key encrypts>`, without the time for the first key.
 * For a retired key, a line contains its derived keys instead: `derived <id> <time> <use>=<hex> …`. Throws an `Error` whose message completes the
 * sentence 'ENCRYPTION_KEY must be …'.
 */
export function parseEncryptionKeys(text: string): EncryptionKeys {
  const lines = splitList(text.replaceAll('\\n', '\n'), '\n');
  const isDerived = (line: string): boolean => line.startsWith('derived ');
  const [first, ...others] = lines
    .filter((line) => !isDerived(line))
    .map(parseEncryptionKey)
    .toSorted(byTime);
  if (first === undefined || others.some(({ since }) => since === null))
    throw new Error('32 bytes in base64, one key a line, each but the first with the time from which on it encrypts');
  const retired = lines.filter(isDerived).map(parseDerivedKeys);
  const derived = [first, ...others].map((key) => deriveKeys(key.since === null ? { ...key, id: '' } : key));
  const [oldest, ...later] = [...retired, ...derived].toSorted(byTime);
  if (oldest === undefined) throw new Error('32 bytes in base64');
  return { keys: [first, ...others], derived: [oldest, ...later] };
}

export function formatEncryptionKeys({ keys, derived }: EncryptionKeys): string {
  const isFromKey = ({ id, since }: DerivedKeyVersion): boolean =>
    keys.some((key) => (since === null ? key.since === null : key.id === id));
  return [
    ...derived
      .filter((version) => !isFromKey(version))
      .map(({ id, since, keys: own }) =>
        [
          ...['derived', ...(since ? [id, since.toISOString()] : [])],
          ...derivedNames.map((name) => `${name}=${own[name].toString('hex')}`),
        ].join(' '),
      ),
    ...keys.map(({ bytes, since }) => [bytes.toString('base64'), ...(since ? [since.toISOString()] : [])].join(' ')),
    '',
  ].join('\n');
}

function byTime(a: { readonly since: Date | null }, b: { readonly since: Date | null }): number {
  return (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0);
}

export function listDerivedKeysCurrentFirst({ derived }: EncryptionKeys, now: Date): EncryptionKeys['derived'] {
  const current = derived.findLast(({ since }) => since === null || since <= now) ?? derived[0];
  return [current, ...derived.filter((version) => version !== current)];
}

export function selectEncryptionKey({ keys }: EncryptionKeys, now: Date): EncryptionKey {
  return keys.findLast(({ since }) => since === null || since <= now) ?? keys[0];
}

/** Returns the key that encrypted a text, according to the text's prefix. */
export function findKeyOfCiphertext({ keys }: EncryptionKeys, sealed: string): EncryptionKey | undefined {
  const [id] = /^[\w-]+(?=[.])/.exec(sealed) ?? [null];
  return keys.find((key) => (id === null ? key.since === null : key.id === id));
}

export function decodeEncryptionKey(base64: string, since: Date | null): EncryptionKey {
  const bytes = Buffer.from(base64, 'base64');
  return { id: createHmac('sha256', bytes).update('fingerprint').digest('base64url').slice(0, 12), bytes, since };
}

function parseEncryptionKey(line: string): EncryptionKey {
  const [base64 = '', time, ...more] = line.split(/\s+/);
  const since = time === undefined ? null : new Date(time);
  if (Buffer.from(base64, 'base64').length !== 32 || (since !== null && isNaN(since.getTime())) || more.length > 0)
    throw new Error('32 bytes in base64');
  return decodeEncryptionKey(base64, since);
}

function deriveKeys({ id, since, bytes }: EncryptionKey): DerivedKeyVersion {
  return { id, since, keys: mapDerivedKeys((name) => createHmac('sha256', bytes).update(name).digest()) };
}

function parseDerivedKeys(line: string): DerivedKeyVersion {
  const [, id = '', time] = /^derived ([\w-]{12}) (\S+) /.exec(line) ?? [];
  const keys = mapDerivedKeys((name) => {
    const [, hex = ''] = new RegExp(` ${name}=([0-9a-f]{64})( |$)`).exec(line) ?? [];
    if (hex === '') throw new Error(`32 bytes in base64, and one line of what was derived, with ${name}`);
    return Buffer.from(hex, 'hex');
  });
  return { id, since: time === undefined ? null : new Date(time), keys };
}

function mapDerivedKeys(read: (name: DerivedName) => Buffer): DerivedKeyVersion['keys'] {
  return Object.fromEntries(derivedNames.map((name) => [name, read(name)])) as DerivedKeyVersion['keys']; // the cast is safe: the entries have all names
}
