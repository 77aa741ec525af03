import { readFile, stat } from 'node:fs/promises';
import { fromBER } from 'asn1js';
import { CertificateRevocationList } from 'pkijs';
import { StartError } from '../../platform/base/errors.ts';
import { authorityDepth, readCertificate, type ReadCertificate, refused } from './certificate.ts';
import { covers } from './revocation-list.ts';

export interface Trust {
  /** Empty if signing is not offered. */
  readonly roots: readonly ReadCertificate[];
  /** Throws an error of `refused` if a certificate is revoked or no current list covers it. Does nothing if no lists are configured. */
  checkRevocation(path: readonly ReadCertificate[], now: Date): Promise<void>;
}

/** Paths of PEM files. `null` if not configured. */
export interface TrustFiles {
  readonly roots: string | null;
  readonly revocations: string | null;
}

/** Limits for parsing a revocation list. They are generous, because the operator provides the file. */
const listLimits = { maxNodes: 5_000_000, maxContentLength: 64 * 1024 * 1024 } as const;

/** Reads the roots once, and the lists whenever their file changes. Throws a `StartError` that names the setting, such as `CARD_CRLS`. */
export async function readTrust(prefix: 'SIGNATURE' | 'CARD', { roots, revocations }: TrustFiles): Promise<Trust> {
  const authorities = roots === null ? [] : await readFirst(`${prefix}_ROOTS`, roots, readAuthorities);
  const lists = revocations === null ? null : await readFirst(`${prefix}_CRLS`, revocations, followLists);
  return {
    roots: authorities,
    async checkRevocation(path, now) {
      if (lists === null) return;
      const current = await lists();
      for (const [at, issuer] of path.slice(1).entries()) {
        const certificate = path[at];
        if (certificate !== undefined) await checkAgainst(current, certificate, issuer, now);
      }
    },
  };
}

async function checkAgainst(
  lists: readonly CertificateRevocationList[],
  certificate: ReadCertificate,
  issuer: ReadCertificate,
  now: Date,
): Promise<void> {
  const own = lists.filter(
    (list) => list.issuer.isEqual(issuer.parsed.subject) && isCurrentList(list, now) && covers(list, certificate),
  );
  const verified: CertificateRevocationList[] = [];
  for (const list of own)
    if (await list.verify({ issuerCertificate: issuer.parsed }).catch(() => false)) verified.push(list);
  if (verified.length === 0)
    throw refused('certificado_desconocido', new Error('no current revocation list of the issuer'));
  if (verified.some((list) => list.isCertificateRevoked(certificate.parsed))) throw refused('certificado_revocado');
}

function isCurrentList({ thisUpdate, nextUpdate }: CertificateRevocationList, now: Date): boolean {
  return thisUpdate.value <= now && nextUpdate !== undefined && now <= nextUpdate.value;
}

async function readFirst<Read>(setting: string, file: string, read: (file: string) => Promise<Read>): Promise<Read> {
  try {
    return await read(file);
  } catch (cause) {
    throw new StartError(
      `The file of ${setting} (${file}) cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

async function readAuthorities(file: string): Promise<readonly ReadCertificate[]> {
  const found = (await readPem(file, 'CERTIFICATE')).map(readCertificate);
  if (found.length === 0) throw new Error('it holds no certificate in PEM');
  const other = found.find((certificate) => authorityDepth(certificate) === null);
  if (other !== undefined) throw new Error(`${other.x509.subject.replaceAll('\n', ', ')} is no authority`);
  return found;
}

async function followLists(file: string): Promise<() => Promise<readonly CertificateRevocationList[]>> {
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
  if (found.length === 0) throw new Error('it holds no revocation list in PEM');
  return found.map((der) => new CertificateRevocationList({ schema: fromBER(der, listLimits).result }));
}

async function readPem(file: string, label: string): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, 'g');
  return [...(await readFile(file, 'utf8')).matchAll(block)].map(([, base64 = '']) =>
    Uint8Array.from(Buffer.from(base64, 'base64')),
  );
}
