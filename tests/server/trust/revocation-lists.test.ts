import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCertificate } from '../../../src/server/trust/certificates/certificate.ts';
import { readTrustStore } from '../../../src/server/trust/certificates/trust-store.ts';
import {
  createAuthorityExtensions,
  createExtension,
  issueCertificate,
  issuePerson,
  issueRoot,
  createKeyUsage,
  createCrlDistributionPoint,
  encodePem,
  createRevocationList,
  createUnknownCriticalExtension,
  keyUsageFlags,
  type IssuedCertificate,
} from '../support/certificates.ts';

type Extension = ReturnType<typeof createExtension>;

const now = new Date('2071-03-04T15:00:00Z');
const point = 'http://listas.example/a.crl';

let folder: string;
let root: IssuedCertificate;
let person: IssuedCertificate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lists-'));
  root = await issueRoot(now);
  person = await issuePerson(now, root, 'CI50234162', {
    extensions: [createKeyUsage(keyUsageFlags.digitalSignature), createCrlDistributionPoint(point)],
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Validates a path from the person's certificate to the root, with the revocation lists of its authorities. Returns the
 * outcome.
 */
async function validatePath(path: readonly IssuedCertificate[], ...lists: readonly string[]): Promise<string> {
  const files = { roots: join(folder, 'roots.pem'), revocations: join(folder, 'lists.pem') };
  await writeFile(files.roots, encodePem(root));
  await writeFile(files.revocations, lists.join('\n'));
  const trust = await readTrustStore('CARD', files);
  const read = path.map(({ certificate }) => readCertificate(new Uint8Array(certificate.rawData)));
  return trust.checkRevocation(read, now).then(
    () => 'good',
    (error: { code: string }) => error.code,
  );
}

const createList = (
  issuer: IssuedCertificate,
  revoked: readonly IssuedCertificate[],
  extensions: readonly Extension[],
): Promise<string> => createRevocationList(now, issuer, revoked, [-1, 30], extensions);

/** Encodes a value in DER. */
const der = (tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> => {
  const content = parts.flatMap((part) => [...part]);
  return Uint8Array.from([tag, content.length, ...content]);
};
/** Creates an issuing distribution point extension (RFC 5280, section 5.2.5) from its fields. */
const part = (...parts: readonly Uint8Array[]): Extension => createExtension('2.5.29.28', true, der(0x30, ...parts));
const encodeTrue = (tag: number): Uint8Array => der(0x80 | tag, [0xff]);
const encodeDistributionPoint = (address: string): Uint8Array => der(0xa0, der(0xa0, der(0x86, Buffer.from(address))));
const keyCompromise = der(0x83, [6, 0x40]);
const number = der(0x02, [1]);
const [users, authorities, indirect, attributes] = [encodeTrue(1), encodeTrue(2), encodeTrue(4), encodeTrue(5)];

describe('[LOG-10] a revocation list', () => {
  test.each<[string, Extension[]]>([
    ['without extensions', []],
    ['that says its number', [createExtension('2.5.29.20', false, number)]],
    ['about people', [part(users)]],
    ['that says it is not about other things', [part(der(0x82, [0]), der(0x84, [0]), der(0x85, [0]))]],
    ['found where the certificate says', [part(encodeDistributionPoint(point), users)]],
  ])('%s speaks of a certificate', async (_name, extensions) => {
    expect(await validatePath([person, root], await createList(root, [], extensions))).toBe('good');
    expect(await validatePath([person, root], await createList(root, [person], extensions))).toBe(
      'certificado_revocado',
    );
  });

  test.each<[string, Extension[]]>([
    ['found elsewhere', [part(encodeDistributionPoint('http://listas.example/b.crl'), users)]],
    ['found by a name relative to its issuer', [part(der(0xa0, der(0xa1, der(0x30, [6, 3, 85, 4, 3, 12, 1, 65]))))]],
    ['about authorities', [part(authorities)]],
    ['about attributes', [part(attributes)]],
    ['of some reasons', [part(keyCompromise)]],
    ['of some reasons without unused bits', [part(der(0x83, [0, 0x40]))]],
    ['of other issuers as well', [part(indirect)]],
    ['of some reasons, which is not critical', [createExtension('2.5.29.28', false, der(0x30, keyCompromise))]],
    ['of changes since another one', [createExtension('2.5.29.27', true, number)]],
    ['of changes, which is not critical', [createExtension('2.5.29.27', false, number)]],
    ['with something critical that nobody knows', [createUnknownCriticalExtension()]],
    ['whose part cannot be read', [createExtension('2.5.29.28', true, Uint8Array.from([5, 0]))]],
  ])('%s is as good as none', async (_name, extensions) => {
    const list = await createList(root, [], extensions);
    expect(await validatePath([person, root], list)).toBe('certificado_desconocido');
    expect(await validatePath([person, root], list, await createList(root, [], [])), 'beside a whole one').toBe('good');
  });

  test('found somewhere speaks of no certificate that does not say where', async () => {
    const silent = await issuePerson(now, root, 'CI50234162');
    expect(await validatePath([silent, root], await createList(root, [], [part(encodeDistributionPoint(point))]))).toBe(
      'certificado_desconocido',
    );
  });

  test('with a critical part of an entry that is not understood is as good as none, whomever the entry is about', async () => {
    const other = await issuePerson(now, root, 'CI12345672');
    const listed = (critical: boolean) =>
      createRevocationList(now, root, [other], [-1, 30], [], [createExtension('2.5.29.29', critical, der(0x30))]);
    expect(await validatePath([person, root], await listed(false))).toBe('good');
    expect(await validatePath([person, root], await listed(true))).toBe('certificado_desconocido');
  });

  test('about authorities speaks of the one in between, one about people does not', async () => {
    const between = await issueCertificate(now, {
      subject: 'CN=Intermedia',
      issuer: root,
      extensions: createAuthorityExtensions(0),
    });
    const below = await issuePerson(now, between, 'CI50234162');
    const own = await createList(between, [], []);
    const path = [below, between, root];
    expect(await validatePath(path, own, await createList(root, [], [part(authorities)]))).toBe('good');
    expect(await validatePath(path, own, await createList(root, [between], [part(authorities)]))).toBe(
      'certificado_revocado',
    );
    expect(await validatePath(path, own, await createList(root, [], [part(users)]))).toBe('certificado_desconocido');
  });
});
