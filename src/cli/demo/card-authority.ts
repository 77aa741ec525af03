import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import 'reflect-metadata'; // the next one asks for it
import * as x509 from '@peculiar/x509';

/** A card of the sample authority: certificate and key in PEM, as its chip would hold them. */
export interface SampleCard {
  readonly name: string;
  readonly certificate: string;
  readonly key: string;
}

/** A throw-away authority of identity cards, and what the portal is told of it. */
export interface CardAuthority {
  readonly good: SampleCard;
  readonly revoked: SampleCard;
  /** The settings CARD_TLS, CARD_ROOTS and CARD_CRLS. */
  readonly settings: Readonly<Record<'CARD_TLS' | 'CARD_ROOTS' | 'CARD_CRLS', string>>;
}

interface Issued {
  readonly certificate: x509.X509Certificate;
  readonly keys: CryptoKeyPair;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 60 * 60 * 1000;
const clientAuthentication = '1.3.6.1.5.5.7.3.2';
const serverAuthentication = '1.3.6.1.5.5.7.3.1';
const { KeyUsageFlags: usages } = x509;

/** Makes an authority, two cards of the holder of `document`, one of them revoked, and a certificate for a listener on `host`, in a folder. */
export async function makeCardAuthority(
  folder: string,
  { document, host }: { document: string; host: string },
): Promise<CardAuthority> {
  await mkdir(folder, { recursive: true });
  const root = await issue('CN=Sample authority', null, [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(usages.keyCertSign | usages.cRLSign, true),
  ]);
  const subject = `CN=Sample card, 2.5.4.5=DNI${document}, C=UY`;
  const forCards = [
    new x509.KeyUsagesExtension(usages.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([clientAuthentication]),
  ];
  const [good, revoked] = [await issue(subject, root, forCards), await issue(subject, root, forCards)];
  const listener = await issue(`CN=${host}`, root, [
    new x509.ExtendedKeyUsageExtension([serverAuthentication]),
    new x509.SubjectAlternativeNameExtension([{ type: /^[\d.]+$/.test(host) ? 'ip' : 'dns', value: host }]),
  ]);
  const settings = {
    CARD_TLS: join(folder, 'listener.pem'),
    CARD_ROOTS: join(folder, 'authority.pem'),
    CARD_CRLS: join(folder, 'revoked.crl.pem'),
  };
  await writeFile(settings.CARD_ROOTS, root.certificate.toString('pem'));
  await writeFile(settings.CARD_CRLS, await revocationList(root, revoked));
  await writeFile(settings.CARD_TLS, `${listener.certificate.toString('pem')}\n${await keyOf(listener)}`);
  const card = async (name: string, issued: Issued): Promise<SampleCard> => ({
    name,
    certificate: issued.certificate.toString('pem'),
    key: await keyOf(issued),
  });
  return { good: await card('buena', good), revoked: await card('revocada', revoked), settings };
}

async function issue(subject: string, issuer: Issued | null, extensions: readonly x509.Extension[]): Promise<Issued> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: Buffer.from(
      crypto.getRandomValues(new Uint8Array(8)).map((byte, at) => (at === 0 ? 0x40 : byte)),
    ).toString('hex'),
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + 90 * dayMs),
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [await x509.SubjectKeyIdentifierExtension.create(keys.publicKey), ...extensions],
  });
  return { certificate, keys };
}

async function revocationList(issuer: Issued, revoked: Issued): Promise<string> {
  const now = Date.now();
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.certificate.subject,
    thisUpdate: new Date(now - dayMs),
    nextUpdate: new Date(now + 90 * dayMs),
    entries: [
      {
        serialNumber: revoked.certificate.serialNumber,
        revocationDate: new Date(now),
        reason: x509.X509CrlReason.keyCompromise,
      },
    ],
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: algorithm,
  });
  return pem('X509 CRL', list.rawData);
}

async function keyOf({ keys }: Issued): Promise<string> {
  return pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', keys.privateKey));
}

function pem(label: string, der: ArrayBuffer): string {
  return `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`;
}
