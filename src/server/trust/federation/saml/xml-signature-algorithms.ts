import { createPublicKey, verify as verifyBytes, type KeyLike, type KeyObject } from 'node:crypto';
import type { SignatureAlgorithm, SignedXml } from 'xml-crypto';
import type { JwsSigner, SigningAlgorithm } from '../../../platform/keys/jws-signer.ts';

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';

/** Key type and OpenSSL digest name by the URI of the signature algorithm. */
const signatureAlgorithms: Readonly<Record<string, { readonly type: 'rsa' | 'ec'; readonly digest: string }>> = {
  [rsaSha256]: { type: 'rsa', digest: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': { type: 'rsa', digest: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': { type: 'rsa', digest: 'sha512' },
  [ecdsaSha256]: { type: 'ec', digest: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384': { type: 'ec', digest: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512': { type: 'ec', digest: 'sha512' },
};

export function isAcceptedSignatureAlgorithm(algorithm: string): boolean {
  return Object.hasOwn(signatureAlgorithms, algorithm);
}

export function isValidXmlSignatureValue(
  algorithm: string,
  signed: Buffer,
  key: KeyObject,
  value: Buffer,
  encoding: 'ieee-p1363' | 'der' = 'ieee-p1363', // r and s with a fixed length (RFC 4051, section 2.3.6); the default of OpenSSL is DER
): boolean {
  const { type, digest } = signatureAlgorithms[algorithm] ?? {};
  return key.asymmetricKeyType === type && verifyBytes(digest, signed, { key, dsaEncoding: encoding }, value);
}

/** Algorithm URIs of signers (RFC 9231). SAML messages are signed only with RS256 and ES256. */
const signatureUris: Readonly<Record<SigningAlgorithm, string>> = {
  RS256: rsaSha256,
  PS256: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ES256: ecdsaSha256,
};

export function getSignatureAlgorithmUri({ algorithm }: JwsSigner): string {
  return signatureUris[algorithm];
}

/** Returns a class, because xml-crypto creates an instance for each signature. Signing is asynchronous and calls xml-crypto's callback. */
export function createXmlSigningAlgorithm(signer: JwsSigner): new () => SignatureAlgorithm {
  return class {
    readonly getAlgorithmName = () => getSignatureAlgorithmUri(signer);
    readonly verifySignature = () => {
      throw new Error('this algorithm only signs');
    };
    readonly getSignature = ((info: string, _key: unknown, callback: (error: Error | null, value?: string) => void) => {
      signer.sign(Buffer.from(info)).then((value) => callback(null, value.toString('base64')), callback);
    }) as SignatureAlgorithm['getSignature'];
  };
}

export function addEcdsaAlgorithms(verifier: SignedXml): SignedXml {
  for (const [uri, { type }] of Object.entries(signatureAlgorithms))
    if (type === 'ec')
      verifier.SignatureAlgorithms[uri] = class implements SignatureAlgorithm {
        getAlgorithmName = () => uri;
        getSignature = () => {
          throw new Error('this algorithm only verifies');
        };
        verifySignature = (info: string, key: KeyLike, value: string) =>
          isValidXmlSignatureValue(uri, Buffer.from(info), createPublicKey(key), Buffer.from(value, 'base64'));
      };
  return verifier;
}
