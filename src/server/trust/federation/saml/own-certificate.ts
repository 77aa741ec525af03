import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { Integer, PrintableString } from 'asn1js';
import { exportPKCS8 } from 'jose';
import { AttributeTypeAndValue, Certificate } from 'pkijs';
import { makeSigningKey, type SigningKey } from '../../../platform/keys/signing-keys.ts';
import type { SigningCredential } from './signature.ts';

const commonName = '2.5.4.3';

/** Creates the certificate of a signing key. It is self-signed and deterministic, so that every replica publishes the same one. */
export async function issueCredential(
  { privateKey, publicJwk, kid }: Pick<SigningKey, 'privateKey' | 'publicJwk' | 'kid'>,
  name: string,
): Promise<SigningCredential> {
  const pem = await exportPKCS8(privateKey);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    algorithm,
    false,
    ['sign'],
  );
  const publicKey = await crypto.subtle.importKey('jwk', { ...publicJwk }, algorithm, true, ['verify']);
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: deriveSerial(kid) });
  for (const side of [certificate.issuer, certificate.subject])
    side.typesAndValues.push(
      new AttributeTypeAndValue({ type: commonName, value: new PrintableString({ value: name }) }),
    );
  certificate.notBefore.value = new Date('2026-01-01T00:00:00Z');
  certificate.notAfter.value = new Date('2049-12-31T23:59:59Z');
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(key, 'SHA-256');
  return {
    key: createPrivateKey(pem),
    certificate: new X509Certificate(Buffer.from(certificate.toString('base64'), 'base64')).toString(),
  };
}

export async function newCredential(name: string): Promise<SigningCredential> {
  return issueCredential(await makeSigningKey(null), name);
}

/** Returns a positive number of 16 bytes. */
function deriveSerial(kid: string): ArrayBuffer {
  const bytes = createHash('sha256').update(kid).digest().subarray(0, 16);
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return new Uint8Array(bytes).buffer;
}
