import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityDocument } from '../../../../src/server/platform/base/identity-document.ts';
import {
  isSerialNumberOfDocument,
  verifySignedStatement,
} from '../../../../src/server/features/signature/verification/verify-signed-statement.ts';
import { signatureRefusalCodes } from '../../../../src/server/trust/certificates/certificate.ts';
import { readTrustStore, type TrustStore } from '../../../../src/server/trust/certificates/trust-store.ts';
import { writeTextPdf } from '../../../../src/server/features/signature/write-pdf.ts';
import { textCatalogue as texts } from '../../../../src/server/app/server-modules.ts';
import {
  createAuthorityExtensions,
  createExtendedKeyUsage,
  issueCertificate,
  issuePerson,
  issueRoot,
  createKeyUsage,
  encodePem,
  encodePrivateKey,
  createRevocationList,
  createUnknownCriticalExtension,
  keyUsageFlags,
  type CertificateOptions,
  type IssuedCertificate,
} from '../../support/certificates.ts';
import { signPdf } from '../../support/sign-pdf.ts';
import { encodeDerAsPem, signCms, type CmsOptions } from '../../support/sign-statement.ts';

const now = new Date('2071-03-04T15:00:00Z');
const statement = writeTextPdf({
  language: 'es',
  title: 'Declaración',
  paragraphs: ['Yo, María (Ñíguez), declaro \\ firmo.', 'Código: abc'],
});
const other = writeTextPdf({ language: 'es', title: 'Declaración', paragraphs: ['Código: otra'] });
const document: IdentityDocument = { country: 'uy', type: 'ci', number: '50234162' };

let folder: string;
let root: IssuedCertificate;
let middle: IssuedCertificate;
let person: IssuedCertificate;
let trust: TrustStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signature-'));
  root = await issueRoot(now);
  middle = await issueCertificate(now, {
    subject: 'CN=Intermedia',
    issuer: root,
    extensions: createAuthorityExtensions(0),
  });
  person = await issuePerson(now, root, 'CI50234162');
  trust = await createTrust(root);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function writeFileText(text: string): Promise<string> {
  const path = join(folder, `${++files}.pem`);
  await writeFile(path, text);
  return path;
}
const createTrust = async (...roots: IssuedCertificate[]) =>
  readTrustStore('SIGNATURE', { roots: await writeFileText(encodePem(...roots)), revocations: null });
const verify = (bytes: Buffer, changes: Partial<Parameters<typeof verifySignedStatement>[0]> = {}) =>
  verifySignedStatement({ file: bytes, statement, document, trust, now, ...changes });
const catchRefusal = (bytes: Buffer, changes: Parameters<typeof verify>[1] = {}) =>
  verify(bytes, changes).then(
    () => 'accepted',
    (error: { status: number; field: string; code: string }) => [error.status, error.field, error.code].join(' '),
  );
const expectRefusal = (code: string) => `400 archivo ${code}`;
const createSignature = (signer: IssuedCertificate, options: CmsOptions = {}) => signCms(statement, [signer], options);

describe('[SEG+FIRMA] valid signature', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['CMS, detached, DER', () => createSignature(person)],
    ['CMS, attached, DER', () => createSignature(person, { attached: true })],
    ['CMS, detached, PEM', async () => encodeDerAsPem(await createSignature(person))],
    [
      'CMS, attached, PEM of PKCS #7',
      async () => encodeDerAsPem(await createSignature(person, { attached: true }), 'PKCS7'),
    ],
    ['CMS without signed attributes', () => createSignature(person, { plain: true })],
    ['CMS with SHA-512', () => createSignature(person, { digest: 'SHA-512' })],
    ['PAdES', () => signPdf(statement, person)],
  ])('is accepted as %s', async (_note, make) => {
    await expect(verify(await make())).resolves.toMatchObject({
      serial: expect.any(String),
      fingerprint: expect.stringMatching(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/),
    });
  });

  test.each<CertificateOptions['algorithm']>(['rsa2048', 'pss', 'p256', 'p384', 'p521'])(
    'is accepted with a key of %s',
    async (algorithm) => {
      const digest = algorithm === 'p521' ? 'SHA-512' : algorithm === 'p384' ? 'SHA-384' : 'SHA-256';
      expect(
        await catchRefusal(
          await createSignature(await issuePerson(now, root, 'CI50234162', { algorithm }), { digest }),
        ),
      ).toBe('accepted');
    },
  );

  test.each<CertificateOptions['algorithm']>(['rsa2048', 'p256'])(
    'is accepted through an intermediate authority of %s in the file, and rejected without it',
    async (algorithm) => {
      const between = await issueCertificate(now, {
        subject: 'CN=Otra',
        issuer: root,
        algorithm,
        extensions: createAuthorityExtensions(0),
      });
      const signer = await issuePerson(now, between, 'CI50234162');
      expect(await catchRefusal(await createSignature(signer, { along: [between] }))).toBe('accepted');
      expect(await catchRefusal(await createSignature(signer))).toBe(expectRefusal('certificado_desconocido'));
    },
  );

  test('is accepted if the intermediate authority itself is trusted', async () => {
    expect(
      await catchRefusal(await createSignature(await issuePerson(now, middle, 'CI50234162')), {
        trust: await createTrust(middle),
      }),
    ).toBe('accepted');
  });
});

describe('[SEG+FIRMA] signatures of the openssl command', () => {
  test.each([
    ['DER, detached', ['-outform', 'DER']],
    ['DER, attached', ['-outform', 'DER', '-nodetach']],
    ['PEM, detached', ['-outform', 'PEM']],
    ['PEM, attached', ['-outform', 'PEM', '-nodetach']],
    ['BER as a stream, attached', ['-outform', 'DER', '-nodetach', '-stream', '-indef']],
    ['RSA-PSS', ['-outform', 'DER', '-keyopt', 'rsa_padding_mode:pss']],
    ['DER with a key identifier', ['-outform', 'DER', '-keyid']],
    ['CAdES', ['-outform', 'DER', '-cades']],
  ])('are accepted for their statement, and rejected for another one: %s', async (note, options) => {
    const key = await createOpensslPerson();
    const made = await signWithOpenssl(key, 'sha256', options);
    expect(await catchRefusal(made, { trust: key.trust, now: new Date() }), note).toBe('accepted');
    expect(await catchRefusal(made, { trust: key.trust, now: new Date(), statement: other })).toBe(
      expectRefusal('firma_de_otro_documento'),
    );
  });

  test('are rejected with MD5 and SHA-1', async () => {
    const key = await createOpensslPerson();
    for (const digest of ['md5', 'sha1']) {
      const made = await signWithOpenssl(key, digest, ['-outform', 'DER']);
      expect(await catchRefusal(made, { trust: key.trust, now: new Date() })).toBe(expectRefusal('firma_insegura'));
    }
  });
});

describe('[SEG+FIRMA] hostile files', () => {
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['an empty file', 'firma_ilegible', () => Buffer.alloc(0)],
    ['garbage', 'firma_ilegible', () => Buffer.from('esto no es una firma')],
    ['a picture', 'firma_ilegible', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['unterminated nesting', 'firma_ilegible', () => Buffer.alloc(200_000, Buffer.from('3080', 'hex'))],
    ['a million empty parts', 'firma_ilegible', () => Buffer.alloc(2_000_000, Buffer.from('0500', 'hex'))],
    ['an empty PEM', 'firma_ilegible', () => Buffer.from('-----BEGIN CMS-----\n-----END CMS-----\n')],
    ['a certificate without a signature', 'firma_ilegible', () => Buffer.from(person.certificate.rawData)],
    ['a signature cut short', 'firma_ilegible', async () => (await createSignature(person)).subarray(0, 300)],
    ['the unsigned statement', 'firma_ausente', () => statement],
    ['the statement with a comment', 'firma_ausente', () => Buffer.concat([statement, Buffer.from('% firmado\n')])],
    ['a CMS without a signer', 'firma_ausente', () => signCms(statement, [])],
    ['another PDF, unsigned', 'firma_de_otro_documento', () => other],
    ['a signature of other content', 'firma_de_otro_documento', () => signCms(other, [person])],
    [
      'a signature of other content, attached',
      'firma_de_otro_documento',
      () => signCms(other, [person], { attached: true }),
    ],
    [
      'a signature without attributes of other content',
      'firma_invalida',
      () => signCms(other, [person], { plain: true }),
    ],
    ['another statement, signed as PDF', 'firma_de_otro_documento', () => signPdf(other, person)],
    [
      'other content attached to a valid signature',
      'firma_de_otro_documento',
      () => signCms(statement, [person], { inside: other }),
    ],
    [
      'the statement attached to a signature of other content',
      'firma_de_otro_documento',
      () => signCms(other, [person], { inside: statement }),
    ],
    ['two valid signers', 'firma_multiple', () => signCms(statement, [person, person])],
    [
      'two signers, one unknown',
      'firma_multiple',
      async () => signCms(statement, [await issuePerson(now, await issueRoot(now), 'CI50234162'), person]),
    ],
    [
      'content that is a time stamp',
      'firma_ilegible',
      () => createSignature(person, { type: '1.2.840.113549.1.9.16.1.4' }),
    ],
    ['no certificate', 'firma_invalida', () => createSignature(person, { bare: true })],
    ['SHA-1', 'firma_insegura', () => createSignature(person, { digest: 'SHA-1' })],
    [
      'eleven certificates',
      'firma_ilegible',
      async () => createSignature(person, { along: Array.from({ length: 10 }, () => root) }),
    ],
  ])('are rejected (%s) as %s', async (_note, code, make) => {
    expect(await catchRefusal(await make())).toBe(expectRefusal(code));
  });

  test('are rejected if the signing certificate is replaced by another one of the same key', async () => {
    const signed = await issuePerson(now, root, 'CI45123784', { keys: person.keys });
    expect(await catchRefusal(await createSignature(person, { named: person }))).toBe('accepted');
    expect(await catchRefusal(await createSignature(person, { named: signed }))).toBe(expectRefusal('firma_invalida'));
  });

  test('are rejected if any sampled byte of the signature is altered', async () => {
    const good = await createSignature(person);
    const signature = good.length - 60; // offset near the end of the file, so that only the signature is altered
    for (let at = signature; at < good.length; at += 7) {
      const altered = Buffer.from(good);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(await catchRefusal(altered)).toMatch(/^400 archivo firma_/);
    }
  });
});

describe('[SEG+FIRMA] certificates', () => {
  const by = (options: CertificateOptions, serialNumber = 'CI50234162') =>
    issuePerson(now, root, serialNumber, options);
  const signing = createKeyUsage(keyUsageFlags.digitalSignature);

  test.each<[string, string, () => Promise<IssuedCertificate>]>([
    ['expired', 'certificado_no_vigente', () => by({ days: [-10, -1] })],
    ['not yet valid', 'certificado_no_vigente', () => by({ days: [1, 10] })],
    [
      'of an unknown authority',
      'certificado_desconocido',
      async () => issuePerson(now, await issueRoot(now), 'CI50234162'),
    ],
    [
      'of an authority with the name of a trusted one',
      'certificado_desconocido',
      async () => issuePerson(now, await issueRoot(now, { subject: root.certificate.subject }), 'CI50234162'),
    ],
    ['their own issuer', 'certificado_uso', () => issuePerson(now, person, 'CI50234162', { issuer: null })],
    ['those of an authority', 'certificado_uso', () => by({ extensions: createAuthorityExtensions() })],
    ['without a usage', 'certificado_uso', () => by({ extensions: [] })],
    ['for encryption', 'certificado_uso', () => by({ extensions: [createKeyUsage(keyUsageFlags.keyEncipherment)] })],
    [
      'of a web server',
      'certificado_uso',
      () => by({ extensions: [signing, createExtendedKeyUsage('1.3.6.1.5.5.7.3.1')] }),
    ],
    ['with a short RSA key', 'firma_insegura', () => by({ algorithm: 'rsa1024' })],
    [
      'with an unknown critical extension',
      'certificado_desconocido',
      () => by({ extensions: [signing, createUnknownCriticalExtension()] }),
    ],
    ['without a document', 'certificado_sin_documento', () => by({ subject: 'CN=María Fernández, C=UY' })],
    [
      'with two documents',
      'certificado_sin_documento',
      () => by({ subject: 'CN=María, 2.5.4.5=CI50234162, 2.5.4.5=CI45123784, C=UY' }),
    ],
    ['of another person', 'certificado_ajeno', () => by({}, 'CI45123784')],
    ['with a document number without its type', 'certificado_ajeno', () => by({}, '50234162')],
  ])('are rejected (%s) with %s', async (_note, code, make) => {
    expect(await catchRefusal(await createSignature(await make()))).toBe(expectRefusal(code));
  });

  test('are rejected if they are signed with SHA-1', async () => {
    const issuer = await issueRoot(now);
    const validated = async (digest: 'SHA-1' | 'SHA-256') =>
      catchRefusal(await createSignature(await issuePerson(now, issuer, 'CI50234162', { digest })), {
        trust: await createTrust(issuer),
      });
    expect([await validated('SHA-256'), await validated('SHA-1')]).toEqual([
      'accepted',
      expectRefusal('firma_insegura'),
    ]);
  });

  test('are accepted with an extended usage for documents, e-mail or any purpose', async () => {
    for (const purpose of ['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4', '2.5.29.37.0']) {
      expect(
        await catchRefusal(await createSignature(await by({ extensions: [signing, createExtendedKeyUsage(purpose)] }))),
      ).toBe('accepted');
    }
  });

  test('are rejected if a person issued them, or an authority beyond its path length', async () => {
    const forged = await issueCertificate(now, {
      subject: 'CN=Otra María, 2.5.4.5=CI50234162, C=UY',
      issuer: person,
      extensions: [signing],
    });
    expect(await catchRefusal(await createSignature(forged, { along: [person] }))).toBe(
      expectRefusal('certificado_desconocido'),
    );
    const below = await issueCertificate(now, {
      subject: 'CN=Debajo',
      issuer: middle,
      extensions: createAuthorityExtensions(),
    });
    expect(
      await catchRefusal(
        await createSignature(await issuePerson(now, below, 'CI50234162'), { along: [below, middle] }),
      ),
    ).toBe(expectRefusal('certificado_desconocido'));
  });

  test('are rejected if their authority has expired', async () => {
    const past = await issueRoot(now, { subject: 'CN=Pasada', days: [-20, -1] });
    expect(
      await catchRefusal(await createSignature(await issuePerson(now, past, 'CI50234162')), {
        trust: await createTrust(past),
      }),
    ).toBe(expectRefusal('certificado_no_vigente'));
  });

  test('are rejected if their authorities issue each other', async () => {
    const one = await issueCertificate(now, { subject: 'CN=Uno', extensions: createAuthorityExtensions() });
    const two = await issueCertificate(now, {
      subject: 'CN=Dos',
      issuer: one,
      extensions: createAuthorityExtensions(),
    });
    const back = await issueCertificate(now, {
      subject: 'CN=Uno',
      issuer: two,
      extensions: createAuthorityExtensions(),
    });
    expect(
      await catchRefusal(
        await createSignature(await issuePerson(now, back, 'CI50234162'), { along: [one, two, back] }),
      ),
    ).toBe(expectRefusal('certificado_desconocido'));
  });
});

describe('[SEG+FIRMA] revocation lists', () => {
  const validated = async (...lists: string[]) => {
    const strict = await readTrustStore('SIGNATURE', {
      roots: await writeFileText(encodePem(root)),
      revocations: await writeFileText(lists.join('\n')),
    });
    return catchRefusal(await createSignature(person), { trust: strict });
  };

  test('permit a certificate only if a current list of its issuer does not name it', async () => {
    expect(await validated(await createRevocationList(now, root, []))).toBe('accepted');
    expect(await validated(await createRevocationList(now, root, [person]))).toBe(
      expectRefusal('certificado_revocado'),
    );
    expect(await validated(await createRevocationList(now, root, [], [-30, -1]))).toBe(
      expectRefusal('certificado_desconocido'),
    );
    expect(await validated(await createRevocationList(now, middle, []))).toBe(expectRefusal('certificado_desconocido'));
    const forger = await issueRoot(now, { subject: root.certificate.subject });
    expect(await validated(await createRevocationList(now, forger, []))).toBe(expectRefusal('certificado_desconocido'));
  });

  test('are read again when the file changes', async () => {
    const path = await writeFileText(await createRevocationList(now, root, []));
    const strict = await readTrustStore('SIGNATURE', {
      roots: await writeFileText(encodePem(root)),
      revocations: path,
    });
    const signed = await createSignature(person);
    expect(await catchRefusal(signed, { trust: strict })).toBe('accepted');
    await writeFile(path, await createRevocationList(now, root, [person]));
    expect(await catchRefusal(signed, { trust: strict })).toBe(expectRefusal('certificado_revocado'));
  });
});

describe('[SEG+FIRMA] signed PDFs', () => {
  test.each<[string, string, () => Promise<Buffer>]>([
    [
      'a range that leaves the end out',
      'firma_parcial',
      () => signPdf(statement, person, { range: ([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, d - 1] }),
    ],
    [
      'a range that does not begin at the beginning',
      'firma_parcial',
      () => signPdf(statement, person, { range: ([, b = 0, c = 0, d = 0]) => [1, b, c, d] }),
    ],
    [
      'a range that leaves more than the signature out',
      'firma_parcial',
      () => signPdf(statement, person, { range: ([a = 0, b = 0, c = 0, d = 0]) => [a, b - 40, c, d] }),
    ],
    [
      'a range that leaves out part of our statement',
      'firma_parcial',
      () => signPdf(statement, person, { range: ([a = 0, , c = 0, d = 0]) => [a, 100, c, d] }),
    ],
    [
      'a range of which the parts overlap',
      'firma_parcial',
      () => signPdf(statement, person, { range: ([a = 0, b = 0]) => [a, b, b - 10, b] }),
    ],
    [
      'a range that ends beyond the file',
      'firma_parcial',
      () => signPdf(statement, person, { range: ([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, d * 2] }),
    ],
    [
      'a range of two numbers',
      'firma_ilegible',
      () => signPdf(statement, person, { range: ([a = 0, b = 0]) => [a, b] }),
    ],
    [
      'a range with negative numbers',
      'firma_ilegible',
      () => signPdf(statement, person, { range: ([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, -d] }),
    ],
    [
      'a second byte range',
      'firma_multiple',
      () => signPdf(statement, person, { more: [[10, '<< /ByteRange [0 1 2 3] >>']] }),
    ],
    ['two signers', 'firma_multiple', () => signPdf(statement, person, { signers: [person, person] })],
    ['SHA-1', 'firma_insegura', () => signPdf(statement, person, { cms: { digest: 'SHA-1' } })],
    [
      'content inside the signature',
      'firma_de_otro_documento',
      () => signPdf(statement, person, { cms: { inside: statement } }),
    ],
  ])('are rejected for %s, with %s', async (_note, code, make) => {
    expect(await catchRefusal(await make())).toBe(expectRefusal(code));
  });

  test('are rejected if they are changed or extended after the signature', async () => {
    const good = await signPdf(statement, person);
    expect(await catchRefusal(good)).toBe('accepted');
    expect(await catchRefusal(Buffer.concat([good, Buffer.from('\n% más\n')]))).toBe(expectRefusal('firma_parcial'));
    const altered = Buffer.from(good);
    altered.write('X', good.indexOf('(Firma)') + 1);
    expect(await catchRefusal(altered)).toBe(expectRefusal('firma_de_otro_documento'));
    const early = Buffer.from(good);
    early.write('X', 40);
    expect(await catchRefusal(early)).toBe(expectRefusal('firma_de_otro_documento'));
  });
});

describe('[SEG+FIRMA] document of a certificate', () => {
  const passport: IdentityDocument = { country: 'ar', type: 'psp', number: 'AAB123456' };
  test.each<[string, string | null, IdentityDocument, boolean]>([
    ['CI50234162', 'UY', document, true],
    ['CI5.023.416-2', 'UY', document, true],
    ['ci 5023416-2', 'uy', document, true],
    ['CI-50234162', null, document, true],
    ['CI050234162', 'UY', document, true],
    ['IDCUY-50234162', null, document, true],
    ['PNOUY-50234162', 'UY', document, true],
    ['CI50234163', 'UY', document, false],
    ['CI5023416', 'UY', document, false],
    ['CI50234162', 'PY', document, false],
    ['IDCPY-50234162', 'UY', document, false],
    ['DNI50234162', 'UY', document, false],
    ['PSP50234162', 'UY', document, false],
    ['PASUY-50234162', null, document, false],
    ['50234162', 'UY', document, false],
    ['RUC50234162', 'UY', document, false],
    ['', 'UY', document, false],
    ['CI', 'UY', document, false],
    ['XCI50234162', 'UY', document, false],
    ['PSPAAB123456', 'AR', passport, true],
    ['PASAR-AAB123456', null, passport, true],
    ['PASAPORTE AAB123456', 'AR', passport, true],
    ['PSPAAB123456', null, passport, false],
    ['IDCAR-AAB123456', null, passport, false],
    ['DNIAAB123456', 'AR', passport, false],
    ['DNI 30.123.456', 'AR', { country: 'ar', type: 'dni', number: '30123456' }, true],
  ])('isSerialNumberOfDocument of %s (%s) for %j is %s', (serialNumber, country, of, expected) => {
    expect(isSerialNumberOfDocument({ serialNumber, country }, of)).toBe(expected);
  });
});

test.each(signatureRefusalCodes)('[SEG+FIRMA] refusal %s has a text in Spanish and Portuguese', (reason) => {
  for (const language of ['es', 'pt'] as const) expect(texts[language]).toHaveProperty(reason);
});

describe('[CFG-04] [SEG+FIRMA] readTrustStore', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['a missing file', () => join(folder, 'none.pem')],
    ['a file without a certificate', () => writeFileText('hola')],
    ['a certificate of a person', () => writeFileText(encodePem(person))],
  ])('throws for %s', async (_note, path) => {
    await expect(readTrustStore('SIGNATURE', { roots: await path(), revocations: null })).rejects.toThrow(
      /^The file of SIGNATURE_ROOTS/,
    );
  });

  test('returns no authorities without a file', async () => {
    expect((await readTrustStore('SIGNATURE', { roots: null, revocations: null })).roots).toEqual([]);
  });
});

function openssl(...options: string[]): void {
  execFileSync('openssl', options, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Signs the statement with the `openssl` command. */
async function signWithOpenssl(
  { certificate, key }: { certificate: string; key: string },
  digest: string,
  options: readonly string[],
): Promise<Buffer> {
  const [input, output] = [await writeFileText(''), await writeFileText('')];
  await writeFile(input, statement);
  const [signer, made] = [
    ['-signer', certificate, '-inkey', key, '-md', digest],
    ['-in', input, '-out', output],
  ];
  openssl('cms', '-sign', '-binary', ...made, ...signer, ...options);
  return readFile(output);
}

/**
 * Creates an RSA key and certificate as files, with the trust store that accepts them. They are valid at the system
 * time, which `openssl` uses.
 */
async function createOpensslPerson(): Promise<{ certificate: string; key: string; trust: TrustStore }> {
  const today = new Date();
  const issuer = await issueRoot(today, { algorithm: 'rsa2048' });
  const signer = await issuePerson(today, issuer, 'CI50234162', {
    algorithm: 'rsa2048',
    extensions: [createKeyUsage(keyUsageFlags.nonRepudiation)],
  });
  return {
    certificate: await writeFileText(encodePem(signer)),
    key: await writeFileText(await encodePrivateKey(signer)),
    trust: await createTrust(issuer),
  };
}
