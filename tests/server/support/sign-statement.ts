import { createHash } from 'node:crypto';
import { ObjectIdentifier, OctetString } from 'asn1js';
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
import type { Issued } from './certificates.ts';

const data = '1.2.840.113549.1.7.1';

/** How a CMS signature of the tests is made. */
export interface CmsOptions {
  /** The content travels inside. */
  readonly attached?: boolean;
  readonly digest?: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
  /** Certificates beside the signers'. */
  readonly along?: readonly Issued[];
  /** Leaves the signers' certificates out. */
  readonly bare?: boolean;
  /** Without signed attributes: the signature is over the content itself. */
  readonly plain?: boolean;
  /** Content that is put inside in place of what is signed. */
  readonly inside?: Buffer;
}

/** Signs content as CMS in DER, by each of the signers. */
export async function signCms(content: Buffer, signers: readonly Issued[], options: CmsOptions = {}): Promise<Buffer> {
  const { attached = false, digest = 'SHA-256', along = [], bare = false, plain = false, inside } = options;
  const own = signers.map(({ certificate }) => Certificate.fromBER(certificate.rawData));
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: data,
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
          ...(!plain && { signedAttrs: attributes(content, digest) }),
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

function attributes(content: Buffer, digest: string): SignedAndUnsignedAttributes {
  const valueHex = Uint8Array.from(createHash(digest.replace('-', '').toLowerCase()).update(content).digest()).buffer;
  const attribute = (type: string, value: ObjectIdentifier | OctetString) => new Attribute({ type, values: [value] });
  const list = [
    attribute('1.2.840.113549.1.9.3', new ObjectIdentifier({ value: data })),
    attribute('1.2.840.113549.1.9.4', new OctetString({ valueHex })),
  ];
  return new SignedAndUnsignedAttributes({ type: 0, attributes: list });
}

/** Room for a signature, in bytes. */
const room = 8192;

/** What a test changes of a signed PDF. */
export interface PdfChanges {
  /** Rewrites the byte range that was reckoned. */
  readonly range?: (range: readonly number[]) => readonly number[];
  /** Text that stands in the file before it is signed. */
  readonly extra?: string;
  readonly cms?: CmsOptions;
  readonly signers?: readonly Issued[];
}

/** Signs a PDF by an incremental update, as PAdES does: a signature field, its dictionary with room for the CMS, a new table. */
export async function signPdf(statement: Buffer, signer: Issued, changes: PdfChanges = {}): Promise<Buffer> {
  const before = statement.toString('latin1');
  const previous = /startxref\n(\d+)/.exec(before)?.[1] ?? '0';
  const objects: [number, string][] = [
    [1, '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [8 0 R] /SigFlags 3 >> >>'],
    [8, '<< /FT /Sig /Type /Annot /Subtype /Widget /T (Firma) /V 9 0 R /Rect [0 0 0 0] /P 3 0 R >>'],
    [
      9,
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [${' '.repeat(48)}] /Contents <${'0'.repeat(2 * room)}> >>`,
    ],
  ];
  let update = changes.extra ?? '';
  const table = objects.map(([id, body]) => {
    const line = `${id} 1\n${String(before.length + update.length).padStart(10, '0')} 00000 n \n`;
    update += `${id} 0 obj\n${body}\nendobj\n`;
    return line;
  });
  const at = before.length + update.length;
  const file = `${before}${update}xref\n0 0\n${table.join('')}trailer\n<< /Size 10 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${at}\n%%EOF\n`;
  const from = file.indexOf('/Contents <', before.length) + '/Contents '.length;
  const to = from + 2 * room + 2;
  const range = [0, from, to, file.length - to];
  const written = (changes.range?.(range) ?? range).join(' ').padEnd(48);
  const ranged = Buffer.from(file.replace(/\/ByteRange \[ {48}\]/, `/ByteRange [${written}]`), 'latin1');
  const covered = Buffer.concat([ranged.subarray(0, from), ranged.subarray(to)]);
  const cms = await signCms(covered, changes.signers ?? [signer], changes.cms);
  ranged.write(cms.toString('hex'), from + 1, 'latin1');
  return ranged;
}

/** DER in the frame of PEM. */
export function asPem(der: Buffer, label = 'CMS'): Buffer {
  return Buffer.from(
    `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`,
  );
}
