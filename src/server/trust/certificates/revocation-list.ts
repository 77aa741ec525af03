import { fromBER, type AsnType, Constructed } from 'asn1js';
import {
  CRLDistributionPoints,
  IssuingDistributionPoint,
  type CertificateRevocationList,
  type GeneralName,
} from 'pkijs';
import type { ReadCertificate } from './certificate.ts';

const oids = {
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  invalidityDate: '2.5.29.24',
  deltaIndicator: '2.5.29.27',
  issuingDistributionPoint: '2.5.29.28',
  authorityKeyIdentifier: '2.5.29.35',
  distributionPoints: '2.5.29.31',
  issuerAlternativeName: '2.5.29.18',
} as const;

/** Extensions of a list and of its entries that may be critical. They are either checked here or do not change the result. */
const understood = {
  list: new Set<string>([
    oids.issuingDistributionPoint,
    oids.crlNumber,
    oids.authorityKeyIdentifier,
    oids.issuerAlternativeName,
  ]),
  entry: new Set<string>([oids.reasonCode, oids.invalidityDate]),
};

/** Tags of the fields of an issuing distribution point (RFC 5280, section 5.2.5). */
const tags = { distributionPoint: 0, userOnly: 1, authoritiesOnly: 2, someReasons: 3, indirect: 4, attributesOnly: 5 };

/** Whether a complete, direct list for all reasons, without unknown critical extensions, has this certificate in scope (RFC 5280, section 6.3.3). */
export function covers(list: CertificateRevocationList, certificate: ReadCertificate): boolean {
  const extensions = list.crlExtensions?.extensions ?? [];
  if (extensions.some(({ critical, extnID }) => critical && !understood.list.has(extnID))) return false;
  if (extensions.some(({ extnID }) => extnID === oids.deltaIndicator)) return false;
  const entries = (list.revokedCertificates ?? []).flatMap((entry) => entry.crlEntryExtensions?.extensions ?? []);
  if (entries.some(({ critical, extnID }) => critical && !understood.entry.has(extnID))) return false;
  return extensions
    .filter(({ extnID }) => extnID === oids.issuingDistributionPoint)
    .every(({ extnValue, parsedValue }) => isAbout(extnValue.valueBlock.valueHexView, parsedValue, certificate));
}

/** Reads the raw tags, because pkijs reports an absent `onlySomeReasons` in the same way as some present ones. */
function isAbout(der: Uint8Array, parsed: unknown, certificate: ReadCertificate): boolean {
  const { result } = fromBER(Uint8Array.from(der));
  if (!(result instanceof Constructed) || !(parsed instanceof IssuingDistributionPoint)) return false;
  const parts = new Map(result.valueBlock.value.map((part) => [part.idBlock.tagNumber, part]));
  const says = (tag: number): boolean => parts.has(tag) && isTrue(parts.get(tag));
  if (parts.has(tags.someReasons) || says(tags.indirect) || says(tags.attributesOnly)) return false;
  if (says(certificate.x509.ca ? tags.userOnly : tags.authoritiesOnly)) return false;
  if (!parts.has(tags.distributionPoint)) return true;
  const names: unknown = parsed.distributionPoint;
  const own = new Set(listDistributionPoints(certificate).map(formatName));
  return Array.isArray(names) && names.some((name: GeneralName) => own.has(formatName(name)));
}

/** Anything other than an explicit FALSE counts as true, so an unreadable value makes the list unusable. */
function isTrue(part: AsnType | undefined): boolean {
  const bytes: unknown = part !== undefined && 'valueHexView' in part.valueBlock ? part.valueBlock.valueHexView : null;
  return !(bytes instanceof Uint8Array && bytes.length === 1 && bytes[0] === 0);
}

/** CRL distribution points of the certificate, without those limited to some reasons or signed by another CRL issuer. */
function listDistributionPoints({ parsed: { extensions = [] } }: ReadCertificate): readonly GeneralName[] {
  const points: unknown = extensions.find(({ extnID }) => extnID === oids.distributionPoints)?.parsedValue;
  if (!(points instanceof CRLDistributionPoints)) return [];
  return points.distributionPoints.flatMap(({ distributionPoint: names, reasons, cRLIssuer }) =>
    Array.isArray(names) && reasons === undefined && cRLIssuer === undefined ? names : [],
  );
}

function formatName(name: GeneralName): string {
  return JSON.stringify(name.toJSON());
}
