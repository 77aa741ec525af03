import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityDocument } from '../../../../src/server/platform/base/identity-document.ts';
import { readTrustStore, type TrustStore } from '../../../../src/server/trust/certificates/trust-store.ts';
import { verifySignedStatement } from '../../../../src/server/features/signature/verification/verify-signed-statement.ts';
import { writeTextPdf } from '../../../../src/server/features/signature/write-pdf.ts';
import { issuePerson, issueRoot, encodePem, type IssuedCertificate } from '../../support/certificates.ts';
import {
  readObjectBody,
  createSignatureField,
  objectNumbers,
  createSignatureDictionary,
  signPdf,
  createStream,
  appendUpdate,
  type PdfChanges,
} from '../../support/sign-pdf.ts';

const now = new Date('2071-03-04T15:00:00Z');
const title = 'Declaración';
const statement = writeTextPdf({ language: 'es', title, paragraphs: ['Yo, María, declaro.', 'Código: abc'] });
const document: IdentityDocument = { country: 'uy', type: 'ci', number: '50234162' };
/** Rectangle of a visible signature below the last line of the statement, where it covers no content. */
const below = '56 300 256 360';
const above = '56 600 256 760';

let folder: string;
let person: IssuedCertificate;
let trust: TrustStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shadow-'));
  const root = await issueRoot(now);
  person = await issuePerson(now, root, 'CI50234162');
  const roots = join(folder, 'roots.pem');
  await writeFile(roots, encodePem(root));
  trust = await readTrustStore('SIGNATURE', { roots, revocations: null });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const verifyFile = (file: Buffer): Promise<string> =>
  verifySignedStatement({ file, statement, document, trust, now }).then(
    () => 'accepted',
    (error: { code?: string; cause?: { message: string } }) =>
      error.code === undefined ? String(error) : `${error.code}: ${error.cause?.message}`,
  );
const verifyChanged = async (changes: PdfChanges): Promise<string> =>
  verifyFile(await signPdf(statement, person, changes));

const catalog = (keys: string, form = ''): string =>
  readObjectBody(
    statement,
    objectNumbers.catalog,
    `/AcroForm << /Fields [${objectNumbers.field} 0 R] /SigFlags 3 ${form} >> ${keys}`,
  );
const page = (keys = '', annotations = `${objectNumbers.field} 0 R`): string =>
  readObjectBody(statement, objectNumbers.page, `/Annots [${annotations}] ${keys}`);
const receipt = createStream('BT /F1 20 Tf 56 700 Td (Recibo) Tj ET');
const appearance = (keys = '', content = 'q Q'): string =>
  createStream(content, `/Type /XObject /Subtype /Form /BBox [0 0 200 60] ${keys}`);
const createAppearance = (rect: string, keys = '', content?: string): PdfChanges => ({
  objects: {
    [objectNumbers.field]: createSignatureField(rect, '/AP << /N 10 0 R >> /F 132'),
    10: appearance(keys, content),
  },
});
const layouts = ['table', 'stream', 'packed'] as const;
const info = (keys: string): string => readObjectBody(statement, objectNumbers.info, keys);
const xmp = (heading: string): string =>
  createStream(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${Buffer.from(heading).toString('latin1')}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`,
    '/Type /Metadata /Subtype /XML',
  );

describe('[SEG+FIRMA] PDF updates of signing programs', () => {
  const cases: readonly (readonly [string, PdfChanges])[] = [
    ['an invisible signature', {}],
    ['a field that the page does not show', { objects: { [objectNumbers.page]: null } }],
    ['a signature below the text', createAppearance(below, '/Resources << /Font << /F1 11 0 R >> >>')],
    ['a signature in the upper margin', createAppearance('56 790 256 830')],
    ['a signature outside of the page', createAppearance('-300 600 -100 700')],
    ['an empty appearance', { ...createAppearance('0 0 0 0', '', '% DSBlank\n') }],
    [
      'dates, programs, permissions and extensions',
      {
        objects: {
          [objectNumbers.catalog]: catalog(
            `/Perms << /DocMDP ${objectNumbers.signature} 0 R >> /Version /1.7 /Metadata 10 0 R /Extensions << /ESIC << /BaseVersion /1.7 /ExtensionLevel 1 >> >>`,
            '/DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 12 0 R >> >>',
          ),
          [objectNumbers.info]: info("/ModDate (D:20710304120000-03'00') /Producer (Firma)"),
          [objectNumbers.signature]: createSignatureDictionary(
            `/M (D:20710304120000Z) /Name (Mar\\355a \\(prueba\\)) /Reason () /Location (Montevideo\\
) /Prop_Build << /App << /Name /Firma#20Digital >> >> /Reference [<< /Type /SigRef /TransformMethod /DocMDP /Data 1 0 R /TransformParams << /Type /TransformParams /P 2 /V /1.2 >> >>]`,
          ),
          10: xmp(title),
          12: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        },
      },
    ],
    [
      'a form and lists in objects of their own',
      {
        objects: {
          [objectNumbers.catalog]: readObjectBody(statement, objectNumbers.catalog, '/AcroForm 10 0 R'),
          [objectNumbers.page]: readObjectBody(statement, objectNumbers.page, '/Annots 12 0 R'),
          10: '<< /Fields 11 0 R /SigFlags 3 >>',
          11: `[${objectNumbers.field} 0 R]`,
          12: `[${objectNumbers.field} 0 R]`,
        },
      },
    ],
  ];
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const withFont = (changes: PdfChanges): PdfChanges =>
    changes.objects?.[10]?.includes('/Font') ? { ...changes, objects: { ...changes.objects, 11: font } } : changes;
  const all = layouts.flatMap((layout) => cases.map(([name, changes]) => [name, layout, changes] as const));
  test.each(all)('accepts %s, with layout %s', async (_name, layout, changes) => {
    expect(await verifyChanged({ layout, ...withFont(changes) })).toBe('accepted');
  });

  test('accepts a UTF-16 title, comments between objects, and Windows line endings', async () => {
    const title16 = Buffer.from(`\ufeff${title}`, 'utf16le').swap16().toString('hex');
    expect(await verifyChanged({ objects: { [objectNumbers.info]: `<< /Title <${title16}> >>` } })).toBe('accepted');
    expect(await verifyChanged({ before: '\r\n%\xe2\xe3\xcf\xd3\n' })).toBe('accepted');
    expect(
      await verifyChanged({ edit: (file) => file.replace(/startxref(?!.*startxref)/s, '%iText-9.0.0\nstartxref') }),
    ).toBe('accepted');
  });
});

describe('[SEC-04] [SEG+FIRMA] shadow attacks that hide content', () => {
  test.each<[string, PdfChanges]>([
    ['a widget over the text', createAppearance(above)],
    ['a widget over the text with exchanged corners', createAppearance('256 760 56 600')],
    ['a widget over the page', createAppearance('0 0 595 842')],
    ['a widget over one letter', createAppearance('56 769 57 771')],
    [
      'a widget with a background and no appearance',
      { objects: { [objectNumbers.field]: createSignatureField(above, '/MK << /BG [1] >>') } },
    ],
  ])('rejects %s as content over the text', async (_name, changes) => {
    expect(await verifyChanged(changes)).toMatch(/^firma_sobre_el_texto/);
  });

  test.each<[string, string, PdfChanges]>([
    [
      'an empty rectangle whose appearance draws',
      'the appearance draws outside its empty rectangle',
      createAppearance('0 0 0 0', '', '1 g 0 0 595 842 re f'),
    ],
    [
      'an appearance of an empty box that draws',
      'the appearance draws outside its empty rectangle',
      {
        objects: {
          [objectNumbers.field]: createSignatureField(below, '/AP << /N 10 0 R >>'),
          10: createStream('0 0 9 9 re f', '/Subtype /Form /BBox [0 0 0 0]'),
        },
      },
    ],
    [
      'a scaled appearance',
      'the appearance is rotated, scaled or skewed',
      createAppearance(below, '/Matrix [9 0 0 9 0 0]'),
    ],
    [
      'an appearance that does not scale with the page',
      'the widget has flags that are not allowed',
      { objects: { [objectNumbers.field]: createSignatureField(below, '/F 12') } },
    ],
    [
      'a rollover appearance',
      'the widget has more than a normal appearance',
      {
        objects: {
          [objectNumbers.field]: createSignatureField(below, '/AP << /N 10 0 R /R 11 0 R >>'),
          10: appearance(),
          11: appearance(),
        },
      },
    ],
    [
      'appearances by state',
      'the key AS is not allowed',
      {
        objects: {
          [objectNumbers.field]: createSignatureField(below, '/AP << /N << /On 10 0 R >> >> /AS /On'),
          10: appearance(),
        },
      },
    ],
    [
      'an appearance of optional content',
      'the key OC of an appearance is not allowed',
      createAppearance(below, '/OC << /Type /OCG /Name (x) >>'),
    ],
    [
      'optional content in an appearance',
      'the key Properties is not allowed',
      createAppearance(below, '/Resources << /Properties << /A << /Type /OCG >> >> >>'),
    ],
    [
      'an appearance from another file',
      'the key Ref of an appearance is not allowed',
      createAppearance(below, '/Ref << /F (otro.pdf) /Page 0 >>'),
    ],
    [
      'a stream from another file',
      'the key F of an appearance is not allowed',
      createAppearance(below, '/F (otro.pdf)'),
    ],
    [
      'PostScript in an appearance',
      'an object is not part of a drawing',
      {
        objects: {
          ...createAppearance(below, '/Resources << /XObject << /X 11 0 R >> >>').objects,
          11: createStream('showpage', '/Type /XObject /Subtype /PS'),
        },
      },
    ],
    [
      'a second annotation',
      'a list does not have exactly one reference',
      {
        objects: {
          [objectNumbers.page]: page('', '8 0 R 10 0 R'),
          10: '<< /Type /Annot /Subtype /Square /Rect [0 0 595 842] /IC [1 1 1] >>',
        },
      },
    ],
    [
      'an annotation in place of the widget',
      'the page has an annotation besides the signature field',
      {
        objects: {
          [objectNumbers.page]: page('', '10 0 R'),
          10: '<< /Type /Annot /Subtype /Square /Rect [0 0 595 842] >>',
        },
      },
    ],
    [
      'an annotation written into the list',
      'a list does not have exactly one reference',
      { objects: { [objectNumbers.page]: page('', '8 0 R << /Type /Annot /Subtype /Square /Rect [0 0 595 842] >>') } },
    ],
    [
      'a second field',
      'a list does not have exactly one reference',
      {
        objects: {
          [objectNumbers.catalog]: readObjectBody(statement, 1, '/AcroForm << /Fields [8 0 R 10 0 R] /SigFlags 3 >>'),
          10: '<< /FT /Tx /T (a) /V (b) >>',
        },
      },
    ],
    [
      'a field with children',
      'the key Kids is not allowed',
      {
        objects: {
          [objectNumbers.field]: createSignatureField('0 0 0 0', '/Kids [10 0 R]'),
          10: '<< /Subtype /Widget /Rect [0 0 595 842] >>',
        },
      },
    ],
    [
      'a form with calculations',
      'the key CO is not allowed',
      { objects: { [objectNumbers.catalog]: catalog('', '/CO [8 0 R]') } },
    ],
    ['an XFA form', 'the key XFA is not allowed', { objects: { [objectNumbers.catalog]: catalog('', '/XFA (x)') } }],
    [
      'a script when the document opens',
      'the key OpenAction is not allowed',
      { objects: { [objectNumbers.catalog]: catalog('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>') } },
    ],
    [
      'scripts by name',
      'the key Names is not allowed',
      { objects: { [objectNumbers.catalog]: catalog('/Names << /JavaScript << /Names [] >> >>') } },
    ],
    [
      'actions of the document',
      'the key AA is not allowed',
      { objects: { [objectNumbers.catalog]: catalog('/AA << >>') } },
    ],
    [
      'an action of the field',
      'the key A is not allowed',
      {
        objects: {
          [objectNumbers.field]: createSignatureField('0 0 0 0', '/A << /S /URI /URI (https://example.com) >>'),
        },
      },
    ],
    [
      'actions of the field',
      'the key AA is not allowed',
      {
        objects: {
          [objectNumbers.field]: createSignatureField('0 0 0 0', '/AA << /E << /S /JavaScript /JS (x) >> >>'),
        },
      },
    ],
    ['actions of the page', 'the key AA is not allowed', { objects: { [objectNumbers.page]: page('/AA << >>') } }],
    [
      'optional content of the document',
      'the key OCProperties is not allowed',
      { objects: { [objectNumbers.catalog]: catalog('/OCProperties << >>') } },
    ],
    [
      'an action among the extensions',
      'an object is not part of a drawing',
      { objects: { [objectNumbers.catalog]: catalog('/Extensions << /X << /Type /Action /S /Named >> >>') } },
    ],
    [
      'permissions of another kind',
      'the key UR3 is not allowed',
      { objects: { [objectNumbers.catalog]: catalog('/Perms << /UR3 9 0 R >>') } },
    ],
    [
      'permissions of another object',
      'the permissions refer to another signature',
      { objects: { [objectNumbers.catalog]: catalog('/Perms << /DocMDP 8 0 R >>') } },
    ],
    [
      'another field type',
      'the field is not a signature field',
      { objects: { [objectNumbers.field]: createSignatureField().replace('/FT /Sig', '/FT /Btn') } },
    ],
    [
      'a widget of another page',
      'the field is on another page',
      { objects: { [objectNumbers.field]: createSignatureField().replace('/P 3 0 R', '/P 2 0 R') } },
    ],
    [
      'a key with an escaped character',
      'a name has the escape #41, which is not allowed',
      { objects: { [objectNumbers.page]: page('/#41A << >>') } },
    ],
  ])('rejects %s as an addition', async (_name, cause, changes) => {
    expect(await verifyChanged(changes)).toContain(`firma_con_agregados: ${cause}`);
  });
});

describe('[SEC-04] [SEG+FIRMA] shadow attacks that replace content', () => {
  test.each<[string, string, PdfChanges]>([
    ['the text', 'object 4 of the statement is replaced', { objects: { 4: receipt } }],
    [
      'the text by identical text',
      'object 4 of the statement is replaced',
      { objects: { 4: /4 0 obj\n(.*?)\nendobj/s.exec(statement.toString('latin1'))?.[1] ?? '' } },
    ],
    ['the font', 'object 5 of the statement is replaced', { objects: { 5: '<< /Type /Font /Subtype /Type3 >>' } }],
    [
      'the list of pages',
      'object 2 of the statement is replaced',
      { objects: { 2: '<< /Type /Pages /Kids [3 0 R 10 0 R] /Count 2 >>', 10: '<< /Type /Page /Parent 2 0 R >>' } },
    ],
    [
      'the text of the page by another stream',
      'the value of Contents was changed',
      { objects: { [objectNumbers.page]: page().replace('/Contents 4 0 R', '/Contents 10 0 R'), 10: receipt } },
    ],
    [
      'the text of the page by a list',
      'the value of Contents was changed',
      { objects: { [objectNumbers.page]: page().replace('/Contents 4 0 R', '/Contents [4 0 R 10 0 R]'), 10: receipt } },
    ],
    [
      'the text of the page by a list with only the same stream',
      'the value of Contents was changed',
      { objects: { [objectNumbers.page]: page().replace('/Contents 4 0 R', '/Contents [4 0 R]') } },
    ],
    [
      'the text of the page by nothing',
      'the value of Contents was changed',
      { objects: { [objectNumbers.page]: page().replace('/Contents 4 0 R', '') } },
    ],
    [
      'the font of the page',
      'the value of Resources was changed',
      {
        objects: {
          [objectNumbers.page]: page().replace('/F1 5 0 R', '/F1 10 0 R'),
          10: '<< /Type /Font /Subtype /Type3 >>',
        },
      },
    ],
    [
      'the resources of the page by a larger set',
      'the value of Resources was changed',
      {
        objects: {
          [objectNumbers.page]: page().replace('/Font <<', '/XObject << /X 10 0 R >> /Font <<'),
          10: appearance(),
        },
      },
    ],
    [
      'the size of the page',
      'the value of MediaBox was changed',
      { objects: { [objectNumbers.page]: page().replace('595 842', '595 84') } },
    ],
    [
      'the visible part of the page',
      'the key CropBox is not allowed',
      { objects: { [objectNumbers.page]: page('/CropBox [0 0 9 9]') } },
    ],
    [
      'the rotation of the page',
      'the key Rotate is not allowed',
      { objects: { [objectNumbers.page]: page('/Rotate 180') } },
    ],
    [
      'the page tree',
      'the value of Pages was changed',
      {
        objects: {
          [objectNumbers.catalog]: catalog('').replace('/Pages 2 0 R', '/Pages 10 0 R'),
          10: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        },
      },
    ],
    [
      'the language',
      'the value of Lang was changed',
      { objects: { [objectNumbers.catalog]: catalog('').replace('(es)', '(pt)') } },
    ],
    ['the title', 'the value of Title was changed', { objects: { [objectNumbers.info]: '<< /Title (Recibo) >>' } }],
    [
      'the title in the XMP metadata',
      'the metadata has another title',
      { objects: { [objectNumbers.catalog]: catalog('/Metadata 10 0 R'), 10: xmp('Recibo') } },
    ],
    [
      'the metadata by compressed metadata',
      'the metadata is not a plain XML stream',
      {
        objects: {
          [objectNumbers.catalog]: catalog('/Metadata 10 0 R'),
          10: xmp(title).replace('/Subtype /XML', '/Subtype /XML /Filter /FlateDecode'),
        },
      },
    ],
    ['the subject', 'the key Subject is not allowed', { objects: { [objectNumbers.info]: info('/Subject (Recibo)') } }],
    [
      'the catalog through the trailer',
      'the trailer names another catalog',
      { edit: (file) => replaceLast(file, '/Root 1 0 R', '/Root 9 0 R') },
    ],
    ['the text by a free object', 'object 4 is free or not of generation 0', { entries: '4 1\n0000000000 00001 f \n' }],
    [
      'the text by an object of another generation',
      'object 4 is free or not of generation 0',
      { entries: '4 1\n0000000009 00001 n \n' },
    ],
  ])('rejects a replacement of %s', async (_name, cause, changes) => {
    expect(await verifyChanged(changes)).toContain(`firma_con_agregados: ${cause}`);
  });
});

describe('[SEC-04] [SEG+FIRMA] shadow attacks that hide and replace content', () => {
  test.each<[string, string, PdfChanges]>([
    ['an object that nothing uses yet', 'object 10 is not referenced', { objects: { 10: receipt } }],
    ['a duplicate field', 'object 8 occurs twice', { more: [[objectNumbers.field, createSignatureField()]] }],
    [
      'another object before the one of the same number',
      'object 8 occurs twice',
      { before: `8 0 obj\n${createSignatureField(above)}\nendobj\n` },
    ],
    ['an object in a comment', 'an object is hidden in other content', { before: '%10 0 obj << >> endobj\n' }],
    [
      'an object in a comment of an object',
      'expected ',
      { objects: { [objectNumbers.field]: createSignatureField('0 0 0 0', '%\n') } },
    ],
    [
      'an object in a string',
      'an object is hidden in other content',
      { objects: { [objectNumbers.signature]: createSignatureDictionary('/Reason (endobj 4 0 obj << >> endobj)') } },
    ],
    [
      'an object in a stream',
      'an object is hidden in other content',
      createAppearance(below, '', 'q Q % endstream endobj 4 0 obj << >> endobj'),
    ],
    [
      'an object that the table does not list',
      'object 10 is not listed at its offset',
      { before: '10 0 obj\n<< >>\nendobj\n' },
    ],
    [
      'a listed object that is elsewhere',
      'the cross-reference lists an object that is missing',
      { entries: '4 1\n0000000009 00000 n \n' },
    ],
    [
      'the text at an offset inside the update',
      'the cross-reference lists an object that is missing',
      { entries: `4 1\n${String(statement.length + 40).padStart(10, '0')} 00000 n \n` },
    ],
    ['an object that is listed twice', 'object 8 is listed twice', { entries: '8 1\n0000000009 00000 n \n' }],
    ['a wrong previous cross-reference', 'Prev is not the cross-reference of the statement', { previous: 0 }],
    ['a hybrid table', 'the key XRefStm is not allowed', { trailer: '/XRefStm 9' }],
    ['encryption', 'the key Encrypt is not allowed', { trailer: '/Encrypt << /Filter /Standard >>' }],
    ['a duplicate key', 'a dictionary has the key Prev twice', { trailer: '/Prev 0' }],
    [
      'a startxref that names another offset',
      'startxref is not the offset of the cross-reference',
      { edit: (file) => file.replace(/startxref\n\d+\n%%EOF\n$/, `startxref\n${statement.length}\n%%EOF\n`) },
    ],
    [
      'a size that ends before the objects',
      'Size of the trailer is wrong',
      { edit: (file) => replaceLast(file, '/Size 10', '/Size 09') },
    ],
    [
      'a stream of the wrong length',
      'expected ',
      { objects: { ...createAppearance(below).objects, 10: appearance().replace(/Length 3/, 'Length 2') } },
    ],
    [
      'a stream with an indirect length',
      'a stream has no direct Length',
      {
        objects: { ...createAppearance(below).objects, 10: appearance().replace(/Length 3/, 'Length 11 0 R'), 11: '3' },
      },
    ],
  ])('rejects a file with %s', async (_name, cause, changes) => {
    const result = await verifyChanged(changes);
    expect(result === 'accepted' && changes.edit ? 'nothing was changed' : result).toContain(
      `firma_con_agregados: ${cause}`,
    );
  });

  test('rejects a revision between the statement and the signature', async () => {
    const shadow = Buffer.from(
      appendUpdate(statement, { objects: { 1: null, 3: null, 8: null, 9: null, 10: receipt } }),
      'latin1',
    );
    expect(await verifyFile(await signPdf(shadow, person))).toBe(
      'firma_con_agregados: data follows the end of the file',
    );
  });

  test('rejects a revision after the signature', async () => {
    const signed = await signPdf(statement, person);
    const changed = Buffer.from(
      appendUpdate(signed, { objects: { 1: null, 3: null, 8: null, 9: null, 4: receipt } }),
      'latin1',
    );
    expect(await verifyFile(changed)).toMatch(/^firma_parcial/);
  });

  test('rejects a signature value that is not a hexadecimal string', async () => {
    const signed = await signPdf(statement, person);
    const literal = signed.toString('latin1').replace(/<([0-9a-f]{16384})>/, '($1)');
    expect(await verifyFile(Buffer.from(literal, 'latin1'))).toMatch(/^firma_parcial/);
  });

  test.each<[string, string, PdfChanges]>([
    ['the text in an object stream', 'object 4 of the statement is replaced', { objects: { 4: '<< /Recibo 1 >>' } }],
    [
      'an object in the gap of an object stream',
      'an object stream has bytes between its objects',
      { editPacked: (text) => text.replace(/\n<</, '\n (x) <<') },
    ],
    [
      'an object behind those of an object stream',
      'an object stream has bytes between its objects',
      { editPacked: (text) => `${text} << /Type /Page >>` },
    ],
    [
      'an object of an object stream under another number',
      'object 4 is not listed in its object stream',
      { editPacked: (text) => text.replace(/^1 0/, '4 0') },
    ],
    [
      'an object stream that extends another',
      'an object stream has an unsupported format',
      { packedKeys: '/Extends 9 0 R' },
    ],
    ['an object that nothing uses', 'object 10 is not referenced', { objects: { 10: '<< /Recibo 1 >>' } }],
  ])('rejects a file of object streams with %s', async (_name, cause, changes) => {
    expect(await verifyChanged({ layout: 'packed', ...changes })).toContain(`firma_con_agregados: ${cause}`);
  });
});

function replaceLast(text: string, from: string, to: string): string {
  const at = text.lastIndexOf(from);
  return text.slice(0, at) + to + text.slice(at + from.length);
}
