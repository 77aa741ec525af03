import { createHmac, randomBytes } from 'node:crypto';
import { splitList } from '../base/read-text.ts';

export interface EncryptionKey {
  /** Identifies the key without revealing it. Prefix of the texts that it seals. */
  readonly id: string;
  readonly bytes: Buffer;
  /** Time from which it encrypts. `null` for the first key, whose sealed texts have no prefix. */
  readonly since: Date | null;
}

/** Keys derived from the first encryption key. They must never change, because the MACs of passkeys and pairwise identifiers depend on them. */
const derivedNames = ['digest', 'saml-pairwise', 'oidc-pairwise', 'oidc-cookies'] as const;

type Derived = Readonly<Record<(typeof derivedNames)[number], Buffer>>;

/** Encryption keys, oldest first, and the keys derived from the first. */
export interface EncryptionKeys {
  readonly keys: readonly [EncryptionKey, ...EncryptionKey[]];
  readonly derived: Derived;
}

export function makeEncryptionKey(): string {
  return randomBytes(32).toString('base64');
}

/**
 * Reads the lines of `encryption.key` or ENCRYPTION_KEY. A line is `<32 bytes in base64>`, optionally followed by a blank and the time from which the
 * key encrypts, or `derived <name>=<hex> …`, which remains of a retired first key. Throws an Error whose message completes 'must be …'.
 */
export function readEncryptionKeys(text: string): EncryptionKeys {
  const lines = splitList(text.replaceAll('\\n', '\n'), '\n');
  const kept = lines.find((line) => line.startsWith('derived '));
  const [first, ...others] = lines
    .filter((line) => line !== kept)
    .map(readKey)
    .toSorted((a, b) => (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0));
  if (first === undefined || others.some(({ since }) => since === null))
    throw new Error('32 bytes in base64, one key a line, each but the first with the time from which on it encrypts');
  return { keys: [first, ...others], derived: kept === undefined ? deriveKeys(first.bytes) : readDerived(kept) };
}

export function writeEncryptionKeys({ keys, derived }: EncryptionKeys): string {
  const [first] = keys;
  return [
    ...(first.since === null
      ? []
      : [`derived ${derivedNames.map((name) => `${name}=${derived[name].toString('hex')}`).join(' ')}`]),
    ...keys.map(({ bytes, since }) => [bytes.toString('base64'), ...(since ? [since.toISOString()] : [])].join(' ')),
    '',
  ].join('\n');
}

/** Returns the key that encrypts at a time: the newest that is in effect. */
export function encryptingKey({ keys }: EncryptionKeys, now: Date): EncryptionKey {
  return keys.findLast(({ since }) => since === null || since <= now) ?? keys[0];
}

/** Returns the key that sealed a text, by its prefix. Returns `undefined` if it is missing. */
export function findSealingKey({ keys }: EncryptionKeys, sealed: string): EncryptionKey | undefined {
  const [id] = /^[\w-]+(?=[.])/.exec(sealed) ?? [null];
  return keys.find((key) => (id === null ? key.since === null : key.id === id));
}

export function createEncryptionKey(base64: string, since: Date | null): EncryptionKey {
  const bytes = Buffer.from(base64, 'base64');
  return { id: createHmac('sha256', bytes).update('fingerprint').digest('base64url').slice(0, 12), bytes, since };
}

function readKey(line: string): EncryptionKey {
  const [base64 = '', time, ...more] = line.split(/\s+/);
  const since = time === undefined ? null : new Date(time);
  if (Buffer.from(base64, 'base64').length !== 32 || (since !== null && isNaN(since.getTime())) || more.length > 0)
    throw new Error('32 bytes in base64');
  return createEncryptionKey(base64, since);
}

function deriveKeys(key: Buffer): Derived {
  return derivedBy((name) => createHmac('sha256', key).update(name).digest());
}

function readDerived(line: string): Derived {
  return derivedBy((name) => {
    const [, hex = ''] = new RegExp(` ${name}=([0-9a-f]{64})( |$)`).exec(line) ?? [];
    if (hex === '') throw new Error(`32 bytes in base64, and one line of what was derived, with ${name}`);
    return Buffer.from(hex, 'hex');
  });
}

function derivedBy(read: (name: (typeof derivedNames)[number]) => Buffer): Derived {
  return Object.fromEntries(derivedNames.map((name) => [name, read(name)])) as Derived; // reads every name
}
