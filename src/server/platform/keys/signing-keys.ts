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

/** One RS256 key; `kid` is its RFC 7638 thumbprint. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: { readonly kty: string; readonly n: string; readonly e: string };
  /** From when on it signs; null: from the start on, in the order of the text. */
  readonly since: Date | null;
}

/** Keys that verify; where nothing else is said, the first of them signs. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** The signing keys of a server while it runs. */
export interface SigningRing {
  /** The first signs, all verify: the same list until another key signs, or the keys are replaced. */
  now(): SigningKeys;
  replace(keys: SigningKeys): void;
}

/** A block of PKCS#8, perhaps behind a line `since <time>`, which readers of PEM skip (RFC 7468, section 2). */
const block = /(?:^since (\S+)\s+)?(-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----)/gm;

/** Reads the keys of `signing.pem` or SIGNING_KEY, in the order of the text. Throws where there is none. */
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

/** A new key, which signs from then on; null: at once. */
export async function makeSigningKey(since: Date | null): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  return createSigningKey(privateKey, since);
}

/** The same keys, the one that signs at a time in front: the newest whose time has come. */
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

/** What is made of the keys of now, made again when these are others. */
export function madeOfKeys<Keys, Made>(now: () => Keys, make: (keys: Keys) => Made): () => Made {
  let made: { readonly of: Keys; readonly value: Made } | null = null;
  return () => {
    const keys = now();
    if (made?.of !== keys) made = { of: keys, value: make(keys) };
    return made.value;
  };
}

/** Public halves, as a JSON Web Key Set has them. */
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
