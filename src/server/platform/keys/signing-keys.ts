import { createECDH, createPrivateKey, generateKeyPair, hkdfSync, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Clock } from '../base/clock.ts';
import { openPkcs11Signers } from './pkcs11.ts';
import { createLocalSigner, signingAlgorithms, type JwsSigner, type SigningAlgorithm } from './jws-signer.ts';

/** Minimum RSA modulus in bits, for 128 bits of security (NIST SP 800-57, part 1). */
export const minRsaBits = 3_072;

export function countRsaModulusBits({ n = '' }: Pick<JWK, 'n'>): number {
  return BigInt(`0x0${Buffer.from(n, 'base64url').toString('hex')}`).toString(2).length;
}

export interface SigningKey {
  /** RFC 7638 thumbprint of the RSA key. */
  readonly kid: string;
  /** Signers by algorithm. The P-256 key for ES256 rotates with the RSA key. Each public JWK has `kid`, `alg` and `use`. */
  readonly signers: Readonly<Record<SigningAlgorithm, JwsSigner>>;
  /** Time from which the key signs. `null` if the file has no time for the key: the first key without a time signs until the time of another key. */
  readonly since: Date | null;
  /** Text in `signing.pem` without the time: a PKCS#8 block, or the URI of a key in a PKCS#11 module. */
  readonly source: string;
}

/** Keys that verify signatures. Unless stated otherwise, the first key also signs. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

export type SigningKeyRing = ReturnType<typeof createSigningKeyRing>;

/** A PKCS#8 block or a PKCS#11 URI, optionally after a line `since <time>`, which PEM parsers skip (RFC 7468, section 2). */
const pemBlockPattern =
  /(?:^since (\S+)\s+)?(-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----|^pkcs11:\S+)/gm;

/** Parses the text of `signing.pem`. Returns the keys in the same order. Throws if there is none. */
export async function parseSigningKeys(text: string): Promise<SigningKeys> {
  const found = [...text.replaceAll('\\n', '\n').matchAll(pemBlockPattern)];
  const [first, ...others] = await Promise.all(
    found.map(async ([, since, source = '']) => {
      const time = since === undefined ? null : new Date(since);
      if (time !== null && isNaN(time.getTime())) throw new Error(`SIGNING_KEY or signing.pem: ${since} is no time`);
      return createSigningKey(source, time);
    }),
  );
  if (first === undefined)
    throw new Error(
      'no signing key was found: SIGNING_KEY or signing.pem must hold a PKCS#8 private key or a PKCS#11 URI',
    );
  return [first, ...others];
}

export function formatSigningKeys(keys: readonly SigningKey[]): string {
  const blocks = keys.map(({ source, since }) => (since === null ? source : `since ${since.toISOString()}\n${source}`));
  return `${blocks.join('\n')}\n`;
}

/** Generates a key that signs from `since` on. If `since` is `null`, it signs at once. */
export async function generateSigningKey(since: Date | null): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: minRsaBits });
  return createSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(), since);
}

/** Returns the keys with the signing key first. The signing key is the newest key in effect at `now`. */
export function moveSigningKeyFirst(keys: SigningKeys, now: Date): SigningKeys {
  const signer = selectSigningKey(keys, now);
  return [signer, ...keys.filter((key) => key !== signer)];
}

export function createSigningKeyRing(read: SigningKeys, clock: Clock) {
  let keys = read;
  let inOrder = moveSigningKeyFirst(keys, clock.now());
  return {
    /** Returns the keys with the signing key first. The array stays the same until another key becomes the signing key or the keys are replaced. */
    listCurrentKeys(): SigningKeys {
      if (selectSigningKey(keys, clock.now()) !== inOrder[0]) inOrder = moveSigningKeyFirst(keys, clock.now());
      return inOrder;
    },
    replaceKeys(replaced: SigningKeys): void {
      keys = replaced;
      inOrder = moveSigningKeyFirst(keys, clock.now());
    },
  };
}

export function cacheUntilKeysChange<Keys, Made>(now: () => Keys, make: (keys: Keys) => Made): () => Made {
  let made: { readonly of: Keys; readonly value: Made } | null = null;
  return () => {
    const keys = now();
    if (made?.of !== keys) made = { of: keys, value: make(keys) };
    return made.value;
  };
}

/** Lists the signers of all keys. Each key occurs once per algorithm, because a JWK has one `alg`. The signers for RS256 are first. */
export function listJwsSigners(keys: SigningKeys): readonly JwsSigner[] {
  return signingAlgorithms.flatMap((algorithm) => keys.map(({ signers }) => signers[algorithm]));
}

function selectSigningKey(keys: SigningKeys, now: Date): SigningKey {
  const [newest] = keys
    .filter(({ since }) => since !== null && since <= now)
    .toSorted((one, other) => Number(other.since) - Number(one.since));
  return newest ?? keys.find(({ since }) => since === null) ?? keys[0];
}

/** Creates a signing key from its text in `signing.pem`: a PKCS#8 block, or the URI of a key in a PKCS#11 module. */
export async function createSigningKey(source: string, since: Date | null): Promise<SigningKey> {
  const { RS256, PS256, ES256 } = source.startsWith('pkcs11:')
    ? await openPkcs11Signers(source)
    : createSigners(source);
  const kid = await calculateJwkThumbprint(RS256.publicJwk);
  const signers = {
    RS256: addJwkMetadata(RS256, kid),
    PS256: addJwkMetadata(PS256, `ps-${kid}`),
    ES256: addJwkMetadata(ES256, await calculateJwkThumbprint(ES256.publicJwk)),
  };
  return { kid, signers, since, source };
}

function addJwkMetadata(signer: JwsSigner, kid: string): JwsSigner {
  return { ...signer, publicJwk: { ...signer.publicJwk, kid, alg: signer.algorithm, use: 'sig' } };
}

function createSigners(pem: string): SigningKey['signers'] {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('SIGNING_KEY or signing.pem must hold RSA keys');
  return {
    RS256: createLocalSigner(key, 'RS256'),
    PS256: createLocalSigner(key, 'PS256'),
    ES256: createLocalSigner(deriveEcKey(key), 'ES256'),
  };
}

const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Derives a P-256 key from an RSA key, with 128 extra bits against bias (FIPS 186-5, appendix A.2.1). */
function deriveEcKey(rsaKey: KeyObject): KeyObject {
  const { d: exponent = '' } = rsaKey.export({ format: 'jwk' });
  const bits = Buffer.from(hkdfSync('sha256', Buffer.from(exponent, 'base64url'), '', 'ES256', 48)).toString('hex');
  const d = Buffer.from(((BigInt(`0x${bits}`) % (p256Order - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') };
  return createPrivateKey({ key, format: 'jwk' });
}
