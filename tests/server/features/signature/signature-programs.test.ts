import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString, type PDFRef } from '@cantoo/pdf-lib';
import { SignPdf } from '@signpdf/signpdf';
import { Signer } from '@signpdf/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityDocument } from '../../../../src/server/platform/base/identity-document.ts';
import { readTrustStore, type TrustStore } from '../../../../src/server/trust/certificates/trust-store.ts';
import { verifySignedStatement } from '../../../../src/server/features/signature/verification/verify-signed-statement.ts';
import { writeTextPdf } from '../../../../src/server/features/signature/write-pdf.ts';
import { issuePerson, issueRoot, encodePem, type IssuedCertificate } from '../../support/certificates.ts';
import { signCms } from '../../support/sign-statement.ts';

const document: IdentityDocument = { country: 'uy', type: 'ci', number: '50234162' };
const verdict = (file: Buffer, statement: Buffer, trust: TrustStore, now: Date): Promise<string> =>
  verifySignedStatement({ file, statement, document, trust, now }).then(
    ({ form }) => form,
    (error: { code?: string; cause?: { message: string } }) => `${error.code} ${error.cause?.message}`,
  );

describe('[SEG+FIRMA] statements signed by other programs', () => {
  const signed = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'signed', name));

  test.each(['pdfbox-invisible', 'pdfbox-visible', 'itext-invisible', 'itext-visible', 'itext-certified'])(
    'accepts %s, and rejects it after a change',
    async (name) => {
      const roots = join(import.meta.dirname, 'signed', 'root.pem');
      const trust = await readTrustStore('SIGNATURE', { roots, revocations: null });
      const file = signed(`${name}.pdf`);
      const statement = signed('statement.pdf');
      const at = new Date('2026-11-28T12:00:00Z');
      expect(await verdict(file, statement, trust, at)).toBe('pdf');
      const changed = Buffer.from(file);
      changed.write('3', file.indexOf('(D:2026') + 3);
      expect(await verdict(changed, statement, trust, at)).toMatch(/^firma_de_otro_documento/);
    },
  );
});

describe('[SEG+FIRMA] statements extended by pdf-lib and signed by signpdf', () => {
  const now = new Date('2071-03-04T15:00:00Z');
  const statement = writeTextPdf({ language: 'es', title: 'Declaración', paragraphs: ['Yo, María, declaro.'] });
  let folder: string;
  let person: IssuedCertificate;
  let trust: TrustStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-'));
    const root = await issueRoot(now);
    person = await issuePerson(now, root, 'CI50234162');
    const roots = join(folder, 'roots.pem');
    await writeFile(roots, encodePem(root));
    trust = await readTrustStore('SIGNATURE', { roots, revocations: null });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  class CmsSigner extends Signer {
    override sign(content: Buffer): Promise<Buffer> {
      return signCms(content, [person]);
    }
  }

  /** Adds a signature field in an incremental update, like `@signpdf/placeholder-pdf-lib`. */
  async function extended(rect: readonly number[], useStream: boolean, appearance: string | null): Promise<Buffer> {
    const pdf = await PDFDocument.load(statement, { forIncrementalUpdate: true, updateMetadata: false });
    const snapshot = pdf.takeSnapshot();
    const page = pdf.getPage(0);
    snapshot.markRefForSave(pdf.context.trailerInfo.Root as PDFRef);
    snapshot.markRefForSave(page.ref);
    const { context } = pdf;
    const placeholder = PDFName.of('**********');
    const signature = context.register(
      context.obj({
        Type: 'Sig',
        Filter: 'Adobe.PPKLite',
        SubFilter: 'adbe.pkcs7.detached',
        ByteRange: [PDFNumber.of(0), placeholder, placeholder, placeholder],
        Contents: PDFHexString.of('0'.repeat(16_384)),
        Reason: PDFString.of('Declaración'),
        M: PDFString.fromDate(now),
      }),
    );
    const form =
      appearance === null
        ? null
        : context.register(
            context.flateStream(appearance, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 200, 60], Resources: {} }),
          );
    const field = context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        FT: 'Sig',
        Rect: [...rect],
        V: signature,
        T: PDFString.of('Signature1'),
        F: 132,
        P: page.ref,
        ...(form !== null && { AP: { N: form } }),
      }),
    );
    page.node.set(PDFName.of('Annots'), context.obj([field]));
    pdf.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field], SigFlags: 3 }));
    return Buffer.concat([statement, await pdf.saveIncremental(snapshot, { useObjectStreams: useStream })]);
  }
  const sign = async (file: Buffer): Promise<Buffer> => new SignPdf().sign(file, new CmsSigner());

  test.each([
    ['invisible, with a cross-reference table', [0, 0, 0, 0], false, null],
    ['visible, with a cross-reference table', [56, 100, 256, 160], false, 'q 1 0 0 rg 0 0 200 60 re f Q'],
    ['invisible, with a cross-reference stream', [0, 0, 0, 0], true, null],
    ['visible, with a cross-reference stream', [56, 100, 256, 160], true, 'q 1 0 0 rg 0 0 200 60 re f Q'],
  ])('accepts a signature that is %s', async (_name, rect, useStream, appearance) => {
    expect(await verdict(await sign(await extended(rect, useStream, appearance)), statement, trust, now)).toBe('pdf');
  });

  test('rejects a visible signature over the text', async () => {
    const file = await sign(await extended([56, 700, 256, 760], true, 'q 1 g 0 0 200 60 re f Q'));
    expect(await verdict(file, statement, trust, now)).toMatch(/^firma_sobre_el_texto/);
  });
});
