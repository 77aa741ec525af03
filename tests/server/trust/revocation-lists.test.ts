import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCertificate } from '../../../src/server/trust/certificates/certificate.ts';
import { readTrust } from '../../../src/server/trust/certificates/trust.ts';
import {
  authority,
  extensionOf,
  issue,
  issuePerson,
  issueRoot,
  keyUsage,
  listedAt,
  pemOf,
  revocationList,
  unknownCritical,
  usages,
  type Issued,
} from '../support/certificates.ts';

type Extension = ReturnType<typeof extensionOf>;

const now = new Date('2071-03-04T15:00:00Z');
const point = 'http://listas.example/a.crl';

let folder: string;
let root: Issued;
let person: Issued;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lists-'));
  root = await issueRoot(now);
  person = await issuePerson(now, root, 'CI50234162', {
    extensions: [keyUsage(usages.digitalSignature), listedAt(point)],
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Validates a path from the person's certificate to the root against its authorities' revocation lists. Returns the outcome. */
async function validated(path: readonly Issued[], ...lists: readonly string[]): Promise<string> {
  const files = { roots: join(folder, 'roots.pem'), revocations: join(folder, 'lists.pem') };
  await writeFile(files.roots, pemOf(root));
  await writeFile(files.revocations, lists.join('\n'));
  const trust = await readTrust('CARD', files);
  const read = path.map(({ certificate }) => readCertificate(new Uint8Array(certificate.rawData)));
  return trust.checkRevocation(read, now).then(
    () => 'good',
    (error: { code: string }) => error.code,
  );
}

const listOf = (issuer: Issued, revoked: readonly Issued[], extensions: readonly Extension[]): Promise<string> =>
  revocationList(now, issuer, revoked, [-1, 30], extensions);

/** Encodes a value in DER. */
const der = (tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> => {
  const content = parts.flatMap((part) => [...part]);
  return Uint8Array.from([tag, content.length, ...content]);
};
/** Creates an issuing distribution point extension (RFC 5280, section 5.2.5) from its fields. */
const part = (...parts: readonly Uint8Array[]): Extension => extensionOf('2.5.29.28', true, der(0x30, ...parts));
const yes = (tag: number): Uint8Array => der(0x80 | tag, [0xff]);
const foundAt = (address: string): Uint8Array => der(0xa0, der(0xa0, der(0x86, Buffer.from(address))));
const keyCompromise = der(0x83, [6, 0x40]);
const number = der(0x02, [1]);
const [users, authorities, indirect, attributes] = [yes(1), yes(2), yes(4), yes(5)];

describe('[LOG-10] a revocation list', () => {
  test.each<[string, Extension[]]>([
    ['without extensions', []],
    ['that says its number', [extensionOf('2.5.29.20', false, number)]],
    ['about people', [part(users)]],
    ['that says it is not about other things', [part(der(0x82, [0]), der(0x84, [0]), der(0x85, [0]))]],
    ['found where the certificate says', [part(foundAt(point), users)]],
  ])('%s speaks of a certificate', async (_name, extensions) => {
    expect(await validated([person, root], await listOf(root, [], extensions))).toBe('good');
    expect(await validated([person, root], await listOf(root, [person], extensions))).toBe('certificado_revocado');
  });

  test.each<[string, Extension[]]>([
    ['found elsewhere', [part(foundAt('http://listas.example/b.crl'), users)]],
    ['found by a name relative to its issuer', [part(der(0xa0, der(0xa1, der(0x30, [6, 3, 85, 4, 3, 12, 1, 65]))))]],
    ['about authorities', [part(authorities)]],
    ['about attributes', [part(attributes)]],
    ['of some reasons', [part(keyCompromise)]],
    ['of some reasons without unused bits', [part(der(0x83, [0, 0x40]))]],
    ['of other issuers as well', [part(indirect)]],
    ['of some reasons, which is not critical', [extensionOf('2.5.29.28', false, der(0x30, keyCompromise))]],
    ['of changes since another one', [extensionOf('2.5.29.27', true, number)]],
    ['of changes, which is not critical', [extensionOf('2.5.29.27', false, number)]],
    ['with something critical that nobody knows', [unknownCritical()]],
    ['whose part cannot be read', [extensionOf('2.5.29.28', true, Uint8Array.from([5, 0]))]],
  ])('%s is as good as none', async (_name, extensions) => {
    const list = await listOf(root, [], extensions);
    expect(await validated([person, root], list)).toBe('certificado_desconocido');
    expect(await validated([person, root], list, await listOf(root, [], [])), 'beside a whole one').toBe('good');
  });

  test('found somewhere speaks of no certificate that does not say where', async () => {
    const silent = await issuePerson(now, root, 'CI50234162');
    expect(await validated([silent, root], await listOf(root, [], [part(foundAt(point))]))).toBe(
      'certificado_desconocido',
    );
  });

  test('with a critical part of an entry that is not understood is as good as none, whomever the entry is about', async () => {
    const other = await issuePerson(now, root, 'CI12345672');
    const listed = (critical: boolean) =>
      revocationList(now, root, [other], [-1, 30], [], [extensionOf('2.5.29.29', critical, der(0x30))]);
    expect(await validated([person, root], await listed(false))).toBe('good');
    expect(await validated([person, root], await listed(true))).toBe('certificado_desconocido');
  });

  test('about authorities speaks of the one in between, one about people does not', async () => {
    const between = await issue(now, { subject: 'CN=Intermedia', issuer: root, extensions: authority(0) });
    const below = await issuePerson(now, between, 'CI50234162');
    const own = await listOf(between, [], []);
    const path = [below, between, root];
    expect(await validated(path, own, await listOf(root, [], [part(authorities)]))).toBe('good');
    expect(await validated(path, own, await listOf(root, [between], [part(authorities)]))).toBe('certificado_revocado');
    expect(await validated(path, own, await listOf(root, [], [part(users)]))).toBe('certificado_desconocido');
  });
});
