import { readFile, stat } from 'node:fs/promises';
import { fromBER, type AsnType, Constructed } from 'asn1js';
import { CertificateRevocationList, CRLDistributionPoints, IssuingDistributionPoint, type GeneralName } from 'pkijs';
import { readSettingFile } from '../../platform/base/errors.ts';
import {
  getPathLengthConstraint,
  parseCertificate,
  type ParsedCertificate,
  createSignatureRefusalError,
  isWithinValidityPeriod,
  hasStrongCertificateAlgorithms,
  hasKnownCriticalExtensions,
} from './certificate.ts';

export type TrustStore = Awaited<ReturnType<typeof readTrustStore>>;

/** Limits for parsing a revocation list. They are high, because the operator provides the file. */
const listLimits = { maxNodes: 5_000_000, maxContentLength: 64 * 1024 * 1024 } as const;

/** Reads the roots once, and the revocation lists whenever their file changes. Throws a `StartError` if a file cannot be read at the start. */
export async function readTrustStore(
  prefix: 'SIGNATURE' | 'CARD' | 'MTLS',
  { roots, revocations }: { readonly roots: string | null; readonly revocations: string | null },
) {
  const authorities =
    roots === null ? [] : await readSettingFile(`The file of ${prefix}_ROOTS (${roots})`, () => readAuthorities(roots));
  const lists =
    revocations === null
      ? null
      : await readSettingFile(`The file of ${prefix}_CRLS (${revocations})`, () => watchLists(revocations));
  return {
    roots: authorities,
    /** Throws a 400 if a certificate is revoked or no current list covers it. Does nothing if no lists are configured. */
    async checkRevocation(path: readonly ParsedCertificate[], now: Date): Promise<void> {
      if (lists === null) return;
      const current = await lists();
      for (const [at, issuer] of path.slice(1).entries()) {
        const certificate = path[at];
        if (certificate !== undefined) await assertNotRevoked(current, certificate, issuer, now);
      }
    },
  };
}

async function assertNotRevoked(
  lists: readonly CertificateRevocationList[],
  certificate: ParsedCertificate,
  issuer: ParsedCertificate,
  now: Date,
): Promise<void> {
  const own = lists.filter(
    (list) =>
      list.issuer.isEqual(issuer.parsed.subject) &&
      list.thisUpdate.value <= now &&
      list.nextUpdate !== undefined &&
      now <= list.nextUpdate.value &&
      coversCertificate(list, certificate),
  );
  const verified: CertificateRevocationList[] = [];
  for (const list of own)
    if (await list.verify({ issuerCertificate: issuer.parsed }).catch(() => false)) verified.push(list);
  if (verified.length === 0)
    throw createSignatureRefusalError('certificado_desconocido', new Error('no current revocation list of the issuer'));
  if (verified.some((list) => list.isCertificateRevoked(certificate.parsed)))
    throw createSignatureRefusalError('certificado_revocado');
}

async function readAuthorities(file: string): Promise<readonly ParsedCertificate[]> {
  const found = (await readPem(file, 'CERTIFICATE')).map(parseCertificate);
  if (found.length === 0) throw new Error('the file contains no PEM certificate');
  const other = found.find((certificate) => getPathLengthConstraint(certificate) === null);
  if (other !== undefined) throw new Error(`${other.x509.subject.replaceAll('\n', ', ')} is no authority`);
  return found;
}

async function watchLists(file: string): Promise<() => Promise<readonly CertificateRevocationList[]>> {
  let mark = await fingerprintFile(file);
  let lists = await readLists(file);
  return async () => {
    const now = await fingerprintFile(file);
    if (now !== mark) [mark, lists] = [now, await readLists(file)];
    return lists;
  };
}

async function fingerprintFile(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs} ${size} ${ino}`;
}

async function readLists(file: string): Promise<readonly CertificateRevocationList[]> {
  const found = await readPem(file, 'X509 CRL');
  if (found.length === 0) throw new Error('the file contains no PEM revocation list');
  return found.map((der) => new CertificateRevocationList({ schema: fromBER(der, listLimits).result }));
}

async function readPem(file: string, label: string): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, 'g');
  return [...(await readFile(file, 'utf8')).matchAll(block)].map(([, base64 = '']) =>
    Uint8Array.from(Buffer.from(base64, 'base64')),
  );
}

const maxPathLength = 6;

/**
 * Builds the path from a certificate to a root. Throws a 400 if there is none, or if a certificate of the path is not valid at `now`. Tries each
 * intermediate only once, so that certificates that issue each other cannot slow down the search.
 */
export function buildCertificationPath(
  leaf: ParsedCertificate,
  intermediates: readonly ParsedCertificate[],
  roots: readonly ParsedCertificate[],
  now: Date,
): readonly ParsedCertificate[] {
  const found = extendPath(
    leaf,
    intermediates.filter(({ x509 }) => x509.fingerprint256 !== leaf.x509.fingerprint256),
    roots,
    new Set(),
  );
  if (found === null || found.length > maxPathLength) throw createSignatureRefusalError('certificado_desconocido');
  if (!found.every((certificate) => isWithinValidityPeriod(certificate, now)))
    throw createSignatureRefusalError('certificado_no_vigente');
  const fits = found.every(
    (certificate, at) =>
      hasKnownCriticalExtensions(certificate) && (at === 0 || at - 1 <= (getPathLengthConstraint(certificate) ?? -1)), // a path length constraint of 0 is valid at index 1, for the CA that issued the leaf
  );
  if (!fits) throw createSignatureRefusalError('certificado_desconocido');
  if (!found.every(hasStrongCertificateAlgorithms)) throw createSignatureRefusalError('firma_insegura');
  return found;
}

function extendPath(
  from: ParsedCertificate,
  intermediates: readonly ParsedCertificate[],
  roots: readonly ParsedCertificate[],
  tried: Set<ParsedCertificate>,
): readonly ParsedCertificate[] | null {
  const root = roots.find((candidate) => isIssuerOf(candidate, from));
  if (root !== undefined) return [from, root];
  for (const candidate of intermediates) {
    if (tried.has(candidate) || !isIssuerOf(candidate, from)) continue;
    tried.add(candidate);
    const rest = extendPath(candidate, intermediates, roots, tried);
    if (rest !== null) return [from, ...rest];
  }
  return null;
}

function isIssuerOf(issuer: ParsedCertificate, { x509 }: ParsedCertificate): boolean {
  return issuer.x509.ca && x509.checkIssued(issuer.x509) && x509.verify(issuer.x509.publicKey);
}

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

/** Extensions that a revocation list and its entries may mark as critical, because this file checks them or they do not change the result. */
const knownCriticalExtensions = {
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

/** Whether a list states if a certificate is revoked. Delta lists, indirect lists and lists for some reasons do not (RFC 5280, section 6.3.3). */
function coversCertificate(list: CertificateRevocationList, certificate: ParsedCertificate): boolean {
  const extensions = list.crlExtensions?.extensions ?? [];
  if (extensions.some(({ critical, extnID }) => critical && !knownCriticalExtensions.list.has(extnID))) return false;
  if (extensions.some(({ extnID }) => extnID === oids.deltaIndicator)) return false;
  const entries = (list.revokedCertificates ?? []).flatMap((entry) => entry.crlEntryExtensions?.extensions ?? []);
  if (entries.some(({ critical, extnID }) => critical && !knownCriticalExtensions.entry.has(extnID))) return false;
  return extensions
    .filter(({ extnID }) => extnID === oids.issuingDistributionPoint)
    .every(({ extnValue, parsedValue }) => isInScope(extnValue.valueBlock.valueHexView, parsedValue, certificate));
}

/** Whether a revocation list with this issuing distribution point covers the certificate. Reads the raw tags of `der`, because pkijs returns the same value for an absent `onlySomeReasons` and for some values of a present one. */
function isInScope(der: Uint8Array, parsed: unknown, certificate: ParsedCertificate): boolean {
  const { result } = fromBER(Uint8Array.from(der));
  if (!(result instanceof Constructed) || !(parsed instanceof IssuingDistributionPoint)) return false;
  const parts = new Map(result.valueBlock.value.map((part) => [part.idBlock.tagNumber, part]));
  const hasTag = (tag: number): boolean => parts.has(tag) && isTrue(parts.get(tag));
  if (parts.has(tags.someReasons) || hasTag(tags.indirect) || hasTag(tags.attributesOnly)) return false;
  if (hasTag(certificate.x509.ca ? tags.userOnly : tags.authoritiesOnly)) return false;
  if (!parts.has(tags.distributionPoint)) return true;
  const names: unknown = parsed.distributionPoint;
  const own = new Set(listDistributionPoints(certificate).map(formatName));
  return Array.isArray(names) && names.some((name: GeneralName) => own.has(formatName(name)));
}

/** Returns `true` for anything other than an explicit FALSE, so that an unreadable value makes the list unusable. */
function isTrue(part: AsnType | undefined): boolean {
  const bytes: unknown = part !== undefined && 'valueHexView' in part.valueBlock ? part.valueBlock.valueHexView : null;
  return !(bytes instanceof Uint8Array && bytes.length === 1 && bytes[0] === 0);
}

/** Returns the CRL distribution points of a certificate, except those limited to some reasons or signed by another CRL issuer. */
function listDistributionPoints({ parsed: { extensions = [] } }: ParsedCertificate): readonly GeneralName[] {
  const points: unknown = extensions.find(({ extnID }) => extnID === oids.distributionPoints)?.parsedValue;
  if (!(points instanceof CRLDistributionPoints)) return [];
  return points.distributionPoints.flatMap(({ distributionPoint: names, reasons, cRLIssuer }) =>
    Array.isArray(names) && reasons === undefined && cRLIssuer === undefined ? names : [],
  );
}

function formatName(name: GeneralName): string {
  return JSON.stringify(name.toJSON());
}
