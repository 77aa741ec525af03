import 'reflect-metadata'; // the next one asks for it
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 60 * 60 * 1000;

/** A throw-away certificate and key in PEM, by which a portal on this very machine signs its requests to wallets. */
export async function newSigner(): Promise<string> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Sample verifier',
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 90 * dayMs),
    keys,
    signingAlgorithm: algorithm,
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return `${certificate.toString('pem')}\n-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`;
}
