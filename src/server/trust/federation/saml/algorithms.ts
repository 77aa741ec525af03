import {
  createPublicKey,
  sign as signBytes,
  verify as verifyBytes,
  type BinaryLike,
  type KeyLike,
  type KeyObject,
} from 'node:crypto';
import type { SignatureAlgorithm, SignedXml } from 'xml-crypto';

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';
const rsaSha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';

/** Type of key, and digest name of OpenSSL, by the URI of the signature algorithm. */
const algorithms: Readonly<Record<string, { readonly type: 'rsa' | 'ec'; readonly digest: string }>> = {
  [rsaSha256]: { type: 'rsa', digest: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': { type: 'rsa', digest: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': { type: 'rsa', digest: 'sha512' },
  [ecdsaSha256]: { type: 'ec', digest: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384': { type: 'ec', digest: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512': { type: 'ec', digest: 'sha512' },
  [rsaSha1]: { type: 'rsa', digest: 'sha1' },
};
/** Whether signatures with this algorithm are accepted. `legacy` adds SHA-1. */
export function isBelieved(algorithm: string, legacy: boolean): boolean {
  return Object.hasOwn(algorithms, algorithm) && (legacy || algorithm !== rsaSha1);
}

/** XML Signature writes ECDSA values as r and s with a fixed length (RFC 4051, section 2.3.6), unlike OpenSSL, which writes DER. */
const dsaEncoding = 'ieee-p1363';

/** Whether a signature is that of this key, which must be of the algorithm's type. */
export function verifies(
  algorithm: string,
  signed: Buffer,
  key: KeyObject,
  value: Buffer,
  encoding: 'ieee-p1363' | 'der' = dsaEncoding,
): boolean {
  const { type, digest } = algorithms[algorithm] ?? {};
  return key.asymmetricKeyType === type && verifyBytes(digest, signed, { key, dsaEncoding: encoding }, value);
}

/** Signs with the algorithm of the key: RSA-SHA256 or ECDSA-SHA256. */
export function signWith(key: KeyObject, bytes: Buffer): string {
  return signBytes('sha256', bytes, { key, dsaEncoding }).toString('base64');
}

export function selectAlgorithm({ asymmetricKeyType: type }: KeyObject): string {
  return type === 'ec' ? ecdsaSha256 : rsaSha256;
}

/** Adds the ECDSA algorithms, which xml-crypto does not have. */
export function withEcdsa(signed: SignedXml): SignedXml {
  for (const [uri, { type }] of Object.entries(algorithms))
    if (type === 'ec')
      signed.SignatureAlgorithms[uri] = class implements SignatureAlgorithm {
        getAlgorithmName = () => uri;
        getSignature = (info: BinaryLike, key: KeyLike) => signWith(key as KeyObject, Buffer.from(info as string)); // as `signElement` passes them
        verifySignature = (info: string, key: KeyLike, value: string) =>
          verifies(uri, Buffer.from(info), createPublicKey(key), Buffer.from(value, 'base64'));
      };
  return signed;
}
