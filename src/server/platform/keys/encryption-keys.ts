import { createHmac, randomBytes } from 'node:crypto';

export interface EncryptionKey {
  /** Tells it from others, and nothing of it; what it sealed begins with it. */
  readonly id: string;
  readonly bytes: Buffer;
  /** From when on it encrypts; null: it is the first, whose sealed texts begin with no id. */
  readonly since: Date | null;
}

/** What is derived of the first key. It cannot change: digests of recovery codes and names of citizens at applications hang on it. */
const derivedNames = ['digest', 'saml-pairwise', 'oidc-cookies'] as const;

type Derived = Readonly<Record<(typeof derivedNames)[number], Buffer>>;

/** The keys that open what is sealed, oldest first, and what was derived of the first one. */
export interface EncryptionKeys {
  readonly keys: readonly [EncryptionKey, ...EncryptionKey[]];
  readonly derived: Derived;
}

/** A new key in base64. */
export function makeEncryptionKey(): string {
  return randomBytes(32).toString('base64');
}

/**
 * Reads the lines of `encryption.key` or ENCRYPTION_KEY: `<32 bytes in base64>`, behind a blank the time from which on the key encrypts; or
 * `derived <name>=<hex> …`, what is left of a first key that was retired. Throws an Error whose message completes 'must be …'.
 */
export function readEncryptionKeys(text: string): EncryptionKeys {
  const lines = text
    .replaceAll('\\n', '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
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

/** The key that encrypts at a time: the newest whose time has come. */
export function encryptingKey({ keys }: EncryptionKeys, now: Date): EncryptionKey {
  return keys.findLast(({ since }) => since === null || since <= now) ?? keys[0];
}

/** The keys that may have sealed a text: the one that it begins with, or the first. */
export function findSealingKey({ keys }: EncryptionKeys, sealed: string): EncryptionKey | undefined {
  const [id] = /^[\w-]+(?=[.])/.exec(sealed) ?? [null];
  return keys.find((key) => (id === null ? key.since === null : key.id === id));
}

/** The id of a key that is none of `readEncryptionKeys`: a new one. */
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
  return Object.fromEntries(derivedNames.map((name) => [name, read(name)])) as Derived; // of every name
}
