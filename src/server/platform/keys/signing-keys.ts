import { createECDH, hkdfSync } from 'node:crypto';
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

/** Smallest RSA modulus of new keys, in bits: 128 bits of security (NIST SP 800-57, part 1). */
export const leastRsaBits = 3_072;

/** Algorithms of the OpenID Provider. Everything else that the server signs is RS256. */
export const signingAlgorithms = ['RS256', 'PS256', 'ES256'] as const;

/** An RSA key. `kid` is its RFC 7638 thumbprint. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: { readonly kty: string; readonly n: string; readonly e: string };
  /** The P-256 key that is derived from it for ES256, so that both rotate together. */
  readonly ec: { readonly kid: string; readonly privateJwk: JWK; readonly publicJwk: JWK };
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
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: leastRsaBits, extractable: true });
  return createSigningKey(privateKey, since);
}

/** Moves the signing key to the front: the newest key in effect at `now`. */
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

/** Keys of the OpenID Provider: each once per algorithm, since a JWK has one `alg`. Keys for RS256 come first. */
export function providerSet(keys: SigningKeys, which: 'privateJwk' | 'publicJwk'): { keys: JWK[] } {
  const rsa = (alg: string, prefix: string) =>
    keys.map((key) => ({ ...key[which], kid: prefix + key.kid, alg, use: 'sig' }));
  const ec = keys.map((key) => ({ ...key.ec[which], kid: key.ec.kid, alg: 'ES256', use: 'sig' }));
  return { keys: [...rsa('RS256', ''), ...rsa('PS256', 'ps-'), ...ec] };
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
  const [thumbprint, ec] = await Promise.all([calculateJwkThumbprint(publicJwk), deriveEcKey(privateJwk)]);
  return { kid: thumbprint, privateKey, privateJwk, publicJwk, ec, since };
}

const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Derives a P-256 key from an RSA key, with 128 extra bits against bias (FIPS 186-5, appendix A.2.1). */
async function deriveEcKey({ d: exponent = '' }: JWK): Promise<SigningKey['ec']> {
  const bits = Buffer.from(hkdfSync('sha256', Buffer.from(exponent, 'base64url'), '', 'ES256', 48)).toString('hex');
  const d = Buffer.from(((BigInt(`0x${bits}`) % (p256Order - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicJwk: JWK = { kty: 'EC', crv: 'P-256', x, y };
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, publicJwk, privateJwk: { ...publicJwk, d: d.toString('base64url') } };
}
