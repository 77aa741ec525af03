import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PdfError } from '../../../../src/server/features/signature/verification/pdf-reader.ts';
import { readPdfRevision } from '../../../../src/server/features/signature/verification/read-pdf-revision.ts';
import { isWithinAsn1Limits } from '../../../../src/server/trust/certificates/certificate.ts';
import { issuePerson, issueRoot } from '../../support/certificates.ts';
import { createStream } from '../../support/sign-pdf.ts';
import { signCms } from '../../support/sign-statement.ts';

/** Returns the verification result for a revision with these objects and a cross-reference table that lists them. */
function verifyObjects(...bodies: readonly string[]): string {
  let file = '';
  const entries = bodies.map((body, index) => {
    const entry = `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return entry;
  });
  const trailer = `trailer\n<< /Size ${bodies.length + 1} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return read(`${file}xref\n1 ${bodies.length}\n${entries.join('')}${trailer}`);
}

function read(text: string): string {
  try {
    readPdfRevision(text, 0);
    return 'read';
  } catch (error) {
    return error instanceof PdfError ? error.message : String(error);
  }
}

const inflated = (bytes: number, keys: string): string =>
  createStream(deflateSync(Buffer.alloc(bytes, ' ')).toString('latin1'), `/Filter /FlateDecode ${keys}`);
const objectStream = inflated(1000, '/Type /ObjStm /N 0 /First 0');

describe('[SEG+FIRMA] limits of a PDF', () => {
  test.each<[string, string, readonly string[]]>([
    ['a few objects', 'read', ['<< /A [1 2 (3)] >>', createStream('x'), objectStream]],
    ['arrays in arrays', 'values are nested too deeply', ['['.repeat(100_000)]],
    ['dictionaries in dictionaries', 'values are nested too deeply', ['<< /A '.repeat(100_000)]],
    ['300,000 values', 'too many values', [`[${'1 '.repeat(300_000)}]`]],
    ['300,000 brackets in a string', 'too many values', ['('.repeat(300_000)]],
    ['300,000 escapes in a string', 'too many values', [`(${'\\n'.repeat(300_000)})`]],
    ['1001 objects', 'too many objects', Array.from({ length: 1001 }, () => '1')],
    ['nine object streams', 'too many object streams', Array.from({ length: 9 }, () => objectStream)],
    [
      'an object stream that inflates to 100 MB',
      'a stream cannot be inflated',
      [inflated(100_000_000, '/Type /ObjStm /N 0 /First 0')],
    ],
    [
      'an object stream of too many objects',
      'an object stream has an unsupported format',
      [objectStream.replace('/N 0', '/N 9999999')],
    ],
  ])('readPdfRevision given %s results in: %s', (_name, expected, bodies) => {
    expect(verifyObjects(...bodies)).toBe(expected);
  });

  test('readPdfRevision rejects a cross-reference of ten million objects', () => {
    const stream = inflated(10, '/Type /XRef /W [0 0 0] /Index [1 9999999] /Size 9999999');
    expect(read(`1 0 obj\n${stream}\nendobj\nstartxref\n0\n%%EOF\n`)).toBe('too many objects');
    expect(read(`xref\n1 99999\n${'0000000009 00000 n \n'.repeat(1001)}`)).toBe('too many objects');
  });
});

describe('[SEG+FIRMA] limits of ASN.1', () => {
  const node = (tag: number, ...contents: readonly Buffer[]): Buffer => {
    const content = Buffer.concat(contents);
    return Buffer.concat([
      Buffer.from([tag, 0x83, content.length >> 16, (content.length >> 8) & 255, content.length & 255]),
      content,
    ]);
  };
  const empty = Buffer.from([5, 0]);
  const [sequence, octets, bits, oid] = [0x30, 0x04, 0x03, 0x06];
  const repeated = (count: number, part: Buffer): Buffer => Buffer.alloc(count * part.length, part);
  const nested = (depth: number, inner: Buffer): Buffer =>
    depth === 0 ? inner : node(sequence, nested(depth - 1, inner));

  test.each<[string, boolean, Buffer]>([
    ['255 children', true, node(sequence, repeated(255, empty))],
    ['257 children', false, node(sequence, repeated(257, empty))],
    ['257 children in an octet string', false, node(sequence, node(octets, node(sequence, repeated(257, empty))))],
    [
      '257 children in a bit string',
      false,
      node(sequence, node(bits, Buffer.from([0]), node(sequence, repeated(257, empty)))),
    ],
    ['3500 nodes', false, node(sequence, repeated(14, node(sequence, repeated(250, empty))))],
    ['2500 nodes', true, node(sequence, repeated(10, node(sequence, repeated(250, empty))))],
    ['40 levels', true, nested(40, empty)],
    ['60 levels', false, nested(60, empty)],
    ['unterminated levels', false, repeated(1000, Buffer.from([0x30, 0x80]))],
    ['an object identifier of 64 bytes', true, node(sequence, node(oid, repeated(64, Buffer.from([1]))))],
    ['an object identifier of 65 bytes', false, node(sequence, node(oid, repeated(65, Buffer.from([1]))))],
    ['a node that is longer than the one around it', false, Buffer.from([0x30, 2, 4, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['a node that is longer than the file', false, Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])],
    ['an indefinite length', true, Buffer.from([0x30, 0x80, 5, 0, 0, 0])],
    ['an indefinite length without an end', false, Buffer.from([0x30, 0x80, 5, 0])],
    ['an empty file', false, Buffer.alloc(0)],
  ])('isWithinAsn1Limits of %s is %s', (_name, expected, bytes) => {
    expect(isWithinAsn1Limits(bytes)).toBe(expected);
  });

  test('isWithinAsn1Limits accepts a signature with ten certificates', async () => {
    const now = new Date();
    const root = await issueRoot(now);
    const person = await issuePerson(now, root, 'CI50234162');
    const along = Array.from({ length: 9 }, () => root);
    expect(isWithinAsn1Limits(await signCms(Buffer.from('x'), [person], { along, attached: true }))).toBe(true);
  });
});
