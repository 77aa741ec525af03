import { authorityDepth, isCurrent, isStrong, isUnderstood, type ReadCertificate, refused } from './certificate.ts';

const longestPath = 6;

/**
 * Builds the certification path from a personal certificate to a trusted root, through the CA certificates in `along`. Every certificate must be
 * valid at `now`. Each candidate is tried only once, so certificates that issue each other cannot slow the search down. Throws an error of `refused`.
 */
export function findPath(
  leaf: ReadCertificate,
  along: readonly ReadCertificate[],
  roots: readonly ReadCertificate[],
  now: Date,
): readonly ReadCertificate[] {
  const found = walk(
    leaf,
    along.filter((other) => !isSame(other, leaf)),
    roots,
    new Set(),
  );
  if (found === null || found.length > longestPath) throw refused('certificado_desconocido');
  if (!found.every((certificate) => isCurrent(certificate, now))) throw refused('certificado_no_vigente');
  const fits = found.every(
    (certificate, at) => isUnderstood(certificate) && (at === 0 || isAuthorityAt(certificate, at)),
  );
  if (!fits) throw refused('certificado_desconocido');
  if (!found.every(isStrong)) throw refused('firma_insegura');
  return found;
}

function walk(
  from: ReadCertificate,
  along: readonly ReadCertificate[],
  roots: readonly ReadCertificate[],
  tried: Set<ReadCertificate>,
): readonly ReadCertificate[] | null {
  const root = roots.find((candidate) => issued(candidate, from));
  if (root !== undefined) return [from, root];
  for (const candidate of along) {
    if (tried.has(candidate) || !issued(candidate, from)) continue;
    tried.add(candidate);
    const rest = walk(candidate, along, roots, tried);
    if (rest !== null) return [from, ...rest];
  }
  return null;
}

/** Compares names, key identifiers and key usage, and verifies the signature. */
function issued(issuer: ReadCertificate, { x509 }: ReadCertificate): boolean {
  return issuer.x509.ca && x509.checkIssued(issuer.x509) && x509.verify(issuer.x509.publicKey);
}

/** `at` is the index in the path. A path length constraint of 0 still allows the CA at index 1, which issued the leaf. */
function isAuthorityAt(certificate: ReadCertificate, at: number): boolean {
  const depth = authorityDepth(certificate);
  return depth !== null && at - 1 <= depth;
}

function isSame(one: ReadCertificate, other: ReadCertificate): boolean {
  return one.x509.fingerprint256 === other.x509.fingerprint256;
}
