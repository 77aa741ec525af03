import { createHash } from 'node:crypto';
import { ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import type { IssuedCertificate } from './certificates.ts';

const data = '1.2.840.113549.1.7.1';

export interface CmsOptions {
  /** Whether the content is embedded. */
  readonly attached?: boolean;
  readonly digest?: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
  /** Certificates in addition to those of the signers. */
  readonly along?: readonly IssuedCertificate[];
  /** Whether to omit the certificates of the signers. */
  readonly bare?: boolean;
  /** Whether to omit signed attributes, so that the signature covers the content directly. */
  readonly plain?: boolean;
  /** Content type, in place of `data`. */
  readonly type?: string;
  /** Certificate in the signing-certificate attribute (RFC 5035), in place of the signer's. */
  readonly named?: IssuedCertificate;
  /** Embedded content, in place of the signed content. */
  readonly inside?: Buffer;
}

/** Creates a CMS signature of the content by each signer, in DER. */
export async function signCms(
  content: Buffer,
  signers: readonly IssuedCertificate[],
  options: CmsOptions = {},
): Promise<Buffer> {
  const {
    attached = false,
    digest = 'SHA-256',
    along = [],
    bare = false,
    plain = false,
    inside,
    named,
    type = data,
  } = options;
  const own = signers.map(({ certificate }) => Certificate.fromBER(certificate.rawData));
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: type,
      ...((attached || inside) && {
        eContent: new OctetString({ valueHex: Uint8Array.from(inside ?? content).buffer }),
      }),
    }),
    certificates: [...(bare ? [] : own), ...along.map(({ certificate }) => Certificate.fromBER(certificate.rawData))],
    signerInfos: own.map(
      (certificate) =>
        new SignerInfo({
          version: 1,
          sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
          ...(!plain && { signedAttrs: attributes(content, digest, named, type) }),
        }),
    ),
  });
  for (const [index, { keys }] of signers.entries())
    await signed.sign(keys.privateKey, index, digest, Uint8Array.from(content).buffer);
  if (inside) signed.encapContentInfo.eContent = new OctetString({ valueHex: Uint8Array.from(inside).buffer });
  return Buffer.from(
    new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) }).toSchema().toBER(),
  );
}

function attributes(
  content: Buffer,
  digest: string,
  named: IssuedCertificate | undefined,
  type: string,
): SignedAndUnsignedAttributes {
  const valueHex = Uint8Array.from(createHash(digest.replace('-', '').toLowerCase()).update(content).digest()).buffer;
  const attribute = (type: string, value: ObjectIdentifier | OctetString | Sequence) =>
    new Attribute({ type, values: [value] });
  const list = [
    attribute('1.2.840.113549.1.9.3', new ObjectIdentifier({ value: type })),
    attribute('1.2.840.113549.1.9.4', new OctetString({ valueHex })),
    ...(named === undefined ? [] : [attribute('1.2.840.113549.1.9.16.2.47', signingCertificate(named))]),
  ];
  return new SignedAndUnsignedAttributes({ type: 0, attributes: list });
}

function signingCertificate({ certificate }: IssuedCertificate): Sequence {
  const hash = createHash('sha256').update(Buffer.from(certificate.rawData)).digest();
  const id = new Sequence({ value: [new OctetString({ valueHex: Uint8Array.from(hash).buffer })] });
  return new Sequence({ value: [new Sequence({ value: [id] })] });
}

export function encodeDerAsPem(der: Buffer, label = 'CMS'): Buffer {
  return Buffer.from(
    `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`,
  );
}
