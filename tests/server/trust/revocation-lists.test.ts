import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCertificate } from '../../../src/server/trust/certificates/certificate.ts';
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
  const read = path.map(({ certificate }) => parseCertificate(new Uint8Array(certificate.rawData)));
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

describe('[LOG-10] certificate revocation list', () => {
  test.each<[string, Extension[]]>([
    ['without extensions', []],
    ['with a CRL number', [createExtension('2.5.29.20', false, number)]],
    ['for user certificates', [part(users)]],
    ['with false restrictions', [part(der(0x82, [0]), der(0x84, [0]), der(0x85, [0]))]],
    ['from the distribution point of the certificate', [part(encodeDistributionPoint(point), users)]],
  ])('is used for a certificate: %s', async (_name, extensions) => {
    expect(await validatePath([person, root], await createList(root, [], extensions))).toBe('good');
    expect(await validatePath([person, root], await createList(root, [person], extensions))).toBe(
      'certificado_revocado',
    );
  });

  test.each<[string, Extension[]]>([
    ['from another distribution point', [part(encodeDistributionPoint('http://listas.example/b.crl'), users)]],
    [
      'with a distribution point relative to its issuer',
      [part(der(0xa0, der(0xa1, der(0x30, [6, 3, 85, 4, 3, 12, 1, 65]))))],
    ],
    ['for authorities', [part(authorities)]],
    ['for attribute certificates', [part(attributes)]],
    ['for some reasons', [part(keyCompromise)]],
    ['for some reasons, without unused bits', [part(der(0x83, [0, 0x40]))]],
    ['for other issuers too', [part(indirect)]],
    ['for some reasons, in a noncritical extension', [createExtension('2.5.29.28', false, der(0x30, keyCompromise))]],
    ['with changes since a base list', [createExtension('2.5.29.27', true, number)]],
    ['with changes, in a noncritical extension', [createExtension('2.5.29.27', false, number)]],
    ['with an unknown critical extension', [createUnknownCriticalExtension()]],
    ['with a malformed distribution point', [createExtension('2.5.29.28', true, Uint8Array.from([5, 0]))]],
  ])('is ignored, so that the certificate is rejected without another list: %s', async (_name, extensions) => {
    const list = await createList(root, [], extensions);
    expect(await validatePath([person, root], list)).toBe('certificado_desconocido');
    expect(
      await validatePath([person, root], list, await createList(root, [], [])),
      'together with a complete list',
    ).toBe('good');
  });

  test('is ignored for a certificate without a distribution point if the list has one', async () => {
    const silent = await issuePerson(now, root, 'CI50234162');
    expect(await validatePath([silent, root], await createList(root, [], [part(encodeDistributionPoint(point))]))).toBe(
      'certificado_desconocido',
    );
  });

  test('is ignored if any entry has an unknown critical extension, even that of another certificate', async () => {
    const other = await issuePerson(now, root, 'CI12345672');
    const listed = (critical: boolean) =>
      createRevocationList(now, root, [other], [-1, 30], [], [createExtension('2.5.29.29', critical, der(0x30))]);
    expect(await validatePath([person, root], await listed(false))).toBe('good');
    expect(await validatePath([person, root], await listed(true))).toBe('certificado_desconocido');
  });

  test('covers an intermediate certificate if it is for authorities, and not if it is for users', async () => {
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
