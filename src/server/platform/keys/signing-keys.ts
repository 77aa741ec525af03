import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { Clock } from '../base/clock.ts';

/** An RS256 key. `kid` is its RFC 7638 thumbprint. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: { readonly kty: string; readonly n: string; readonly e: string };
  /** Time from which it signs. `null` if it signs from the start, in the order of the file. */
  readonly since: Date | null;
}

/** Keys that verify. Unless stated otherwise, the first one signs. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

export interface SigningRing {
  /** The first signs, all verify. Returns the same array until another key signs, or the keys are replaced. */
  now(): SigningKeys;
  replace(keys: SigningKeys): void;
}

/** A PKCS#8 block, optionally after a line `since <time>`, which PEM parsers skip (RFC 7468, section 2). */
const block = /(?:^since (\S+)\s+)?(-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----)/gm;

/** Reads the keys of `signing.pem` or SIGNING_KEY, in the order of the text. Throws if there is none. */
export async function readSigningKeys(text: string): Promise<SigningKeys> {
  const found = [...text.replaceAll('\\n', '\n').matchAll(block)];
  const [first, ...others] = await Promise.all(found.map(([, since, pem = '']) => readKey(pem, since)));
  if (first === undefined)
    throw new Error('no signing key was found: SIGNING_KEY or signing.pem must hold a PKCS#8 private key');
  return [first, ...others];
}

export async function writeSigningKeys(keys: readonly SigningKey[]): Promise<string> {
  const blocks = keys.map(async ({ privateKey, since }) => {
    const pem = (await exportPKCS8(privateKey)).trim();
    return since === null ? pem : `since ${since.toISOString()}\n${pem}`;
  });
  return `${(await Promise.all(blocks)).join('\n')}\n`;
}

/** Makes a key that signs from a time on, or at once if `since` is `null`. */
export async function makeSigningKey(since: Date | null): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  return createSigningKey(privateKey, since);
}

/** Moves the key that signs at a time to the front: the newest that is in effect. */
export function signerFirst(keys: SigningKeys, now: Date): SigningKeys {
  const signer = selectSigner(keys, now);
  return [signer, ...keys.filter((key) => key !== signer)];
}

export function signingRing(read: SigningKeys, clock: Clock): SigningRing {
  let keys = read;
  let inOrder = signerFirst(keys, clock.now());
  return {
    now() {
      if (selectSigner(keys, clock.now()) !== inOrder[0]) inOrder = signerFirst(keys, clock.now());
      return inOrder;
    },
    replace(replaced) {
      keys = replaced;
      inOrder = signerFirst(keys, clock.now());
    },
  };
}

/** Caches a value made from the current keys, and makes it again when they change. */
export function madeOfKeys<Keys, Made>(now: () => Keys, make: (keys: Keys) => Made): () => Made {
  let made: { readonly of: Keys; readonly value: Made } | null = null;
  return () => {
    const keys = now();
    if (made?.of !== keys) made = { of: keys, value: make(keys) };
    return made.value;
  };
}

/** Public keys as a JSON Web Key Set. */
export function publicSet(keys: SigningKeys) {
  return { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'RS256', use: 'sig' })) };
}

function selectSigner(keys: SigningKeys, now: Date): SigningKey {
  const [newest] = keys
    .filter(({ since }) => since !== null && since <= now)
    .toSorted((one, other) => Number(other.since) - Number(one.since));
  return newest ?? keys.find(({ since }) => since === null) ?? keys[0];
}

async function readKey(pem: string, since: string | undefined): Promise<SigningKey> {
  const time = since === undefined ? null : new Date(since);
  if (time !== null && isNaN(time.getTime())) throw new Error(`SIGNING_KEY or signing.pem: ${since} is no time`);
  return createSigningKey(await importPKCS8(pem, 'RS256', { extractable: true }), time);
}

async function createSigningKey(privateKey: CryptoKey, since: Date | null): Promise<SigningKey> {
  const privateJwk = await exportJWK(privateKey);
  const { kty = '', n = '', e = '' } = privateJwk;
  const publicJwk = { kty, n, e };
  return { kid: await calculateJwkThumbprint(publicJwk), privateKey, privateJwk, publicJwk, since };
}
