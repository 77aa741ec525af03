import { constants, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';

/** Signature algorithms of the OpenID Provider. RS256 is only for SAML and for relying parties that were written for ID Uruguay. */
export const signingAlgorithms = ['RS256', 'PS256', 'ES256'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** Signs in this process or in a PKCS#11 module, in the JWS format (RFC 7518, section 3). */
export interface JwsSigner {
  readonly algorithm: SigningAlgorithm;
  readonly publicJwk: JWK;
  sign(data: Uint8Array): Promise<Buffer>;
}

const signInThread = promisify(sign);

const opensslOptions = {
  RS256: {},
  PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  ES256: { dsaEncoding: 'ieee-p1363' },
} as const;

export function createLocalSigner(key: KeyObject, algorithm: SigningAlgorithm = 'RS256'): JwsSigner {
  return {
    algorithm,
    publicJwk: createPublicKey(key).export({ format: 'jwk' }) as JWK, // the cast is needed because the types of node:crypto do not distinguish key types
    sign: (data) => signInThread('sha256', data, { key, ...opensslOptions[algorithm] }),
  };
}

export async function signJwt(signer: JwsSigner, header: object, claims: object): Promise<string> {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: signer.algorithm, ...header })}.${encode(claims)}`;
  return `${signed}.${(await signer.sign(Buffer.from(signed))).toString('base64url')}`;
}
