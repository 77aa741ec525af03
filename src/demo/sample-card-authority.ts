import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import 'reflect-metadata'; // @peculiar/x509 requires it
import * as x509 from '@peculiar/x509';

interface IssuedCertificate {
  readonly certificate: x509.X509Certificate;
  readonly keys: CryptoKeyPair;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 60 * 60 * 1000;
const { ExtendedKeyUsage: purposes, KeyUsageFlags: usages } = x509;

/** Writes a card authority's certificate, revocation list and server certificate for `host` to a folder. Returns two cards for a document. */
export async function createCardAuthority(folder: string, { document, host }: { document: string; host: string }) {
  await mkdir(folder, { recursive: true });
  const root = await issueCertificate('CN=Sample authority', null, [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(usages.keyCertSign | usages.cRLSign, true),
  ]);
  const issueCard = () =>
    issueCertificate(`CN=Sample card, 2.5.4.5=DNI${document}, C=UY`, root, [
      new x509.KeyUsagesExtension(usages.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([purposes.clientAuth]),
    ]);
  const [good, revoked] = [await issueCard(), await issueCard()];
  const listener = await issueCertificate(`CN=${host}`, root, [
    new x509.ExtendedKeyUsageExtension([purposes.serverAuth]),
    new x509.SubjectAlternativeNameExtension([{ type: /^[\d.]+$/.test(host) ? 'ip' : 'dns', value: host }]),
  ]);
  const list = await x509.X509CrlGenerator.create({
    issuer: root.certificate.subject,
    thisUpdate: new Date(Date.now() - dayMs),
    nextUpdate: new Date(Date.now() + 90 * dayMs),
    entries: [{ serialNumber: revoked.certificate.serialNumber, reason: x509.X509CrlReason.keyCompromise }],
    signingKey: root.keys.privateKey,
    signingAlgorithm: algorithm,
  });
  const settings = {
    CARD_TLS: join(folder, 'listener.pem'),
    CARD_ROOTS: join(folder, 'authority.pem'),
    CARD_CRLS: join(folder, 'revoked.crl.pem'),
  };
  await writeFile(settings.CARD_ROOTS, root.certificate.toString('pem'));
  await writeFile(settings.CARD_CRLS, x509.PemConverter.encode(list.rawData, 'X509 CRL'));
  await writeFile(settings.CARD_TLS, Object.values(await encodePem(listener)).join('\n'));
  return {
    good: { name: 'buena', ...(await encodePem(good)) },
    revoked: { name: 'revocada', ...(await encodePem(revoked)) },
    settings,
  };
}

async function issueCertificate(subject: string, issuer: IssuedCertificate | null, extensions: x509.Extension[]) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: `40${randomBytes(7).toString('hex')}`,
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 90 * dayMs),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: algorithm,
    extensions: [await x509.SubjectKeyIdentifierExtension.create(keys.publicKey), ...extensions],
  });
  return { certificate, keys };
}

export async function createSampleSignerCertificate(): Promise<string> {
  return Object.values(await encodePem(await issueCertificate('CN=Sample verifier', null, []))).join('\n');
}

async function encodePem({ certificate, keys }: IssuedCertificate) {
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}
