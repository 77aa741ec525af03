import { deflateSync } from 'node:zlib';
import type { IssuedCertificate } from './certificates.ts';
import { signCms, type CmsOptions } from './sign-statement.ts';

/** Number of bytes reserved for a signature. */
const room = 8192;
/** Object numbers in the incremental update of a signature. */
export const objectNumbers = { catalog: 1, page: 3, info: 7, field: 8, signature: 9, first: 10 } as const;

/** Deviations of a signed PDF from a valid one. */
export interface PdfChanges {
  /** Object bodies by number. `null` omits an object. */
  readonly objects?: Readonly<Record<number, string | null>>;
  /** Objects to append in this order, regardless of their numbers. */
  readonly more?: readonly (readonly [id: number, body: string])[];
  /** Cross-reference format: a table, a stream, or a stream with the unsigned objects in an object stream. */
  readonly layout?: 'table' | 'stream' | 'packed';
  /** Additional subsections of the cross-reference table. */
  readonly entries?: string;
  /** Additional entries of the trailer. */
  readonly trailer?: string;
  /** Offset of the previous cross-reference section, in place of the correct one. */
  readonly previous?: number;
  /** Text between the statement and the incremental update. */
  readonly before?: string;
  /** Modifies the file before it is signed. Offsets in the cross-reference must remain valid. */
  readonly edit?: (file: string) => string;
  /** Modifies the object stream before it is compressed. */
  readonly editPacked?: (text: string) => string;
  /** Extra keys of the object stream. */
  readonly packedKeys?: string;
  /** Replaces the byte range of the signature. */
  readonly range?: (range: readonly number[]) => readonly number[];
  readonly cms?: CmsOptions;
  readonly signers?: readonly IssuedCertificate[];
}

/** Returns the body of an object of an unsigned PDF, with `added` appended to its dictionary. */
export function readObjectBody(pdf: Buffer, id: number, added = ''): string {
  const [, body = ''] = new RegExp(`\\n${id} 0 obj\\n(.*)>>\\nendobj`).exec(pdf.toString('latin1')) ?? [];
  return `${body}${added} >>`;
}

export function createStream(content: string, keys = ''): string {
  return `<< /Length ${content.length} ${keys} >>\nstream\n${content}\nendstream`;
}

export function createSignatureField(rect = '0 0 0 0', keys = ''): string {
  return `<< /FT /Sig /Type /Annot /Subtype /Widget /T (Firma) /V ${objectNumbers.signature} 0 R /Rect [${rect}] /P ${objectNumbers.page} 0 R ${keys} >>`;
}

/** Creates a signature dictionary with reserved `Contents`. */
export function createSignatureDictionary(keys = ''): string {
  return `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [${' '.repeat(48)}] /Contents <${'0'.repeat(2 * room)}> ${keys} >>`;
}

/**
 * Signs a PDF with an incremental update (PAdES). The update contains a catalog with a form, a page with a widget, a
 * field, a signature dictionary and a cross-reference.
 */
export async function signPdf(pdf: Buffer, signer: IssuedCertificate, changes: PdfChanges = {}): Promise<Buffer> {
  const text = (changes.edit ?? ((file) => file))(appendUpdate(pdf, changes));
  const from = text.lastIndexOf('/Contents <') + '/Contents '.length;
  const to = from + 2 * room + 2;
  const range = [0, from, to, text.length - to];
  const written = (changes.range?.(range) ?? range).join(' ').padEnd(48);
  const file = Buffer.from(text.replace(/\/ByteRange \[ {48}\]/, `/ByteRange [${written}]`), 'latin1');
  const covered = Buffer.concat([file.subarray(0, from), file.subarray(to)]);
  const cms = await signCms(covered, changes.signers ?? [signer], changes.cms);
  file.write(cms.toString('hex'), from + 1, 'latin1');
  return file;
}

/** Returns a PDF with an incremental update like that of `signPdf`, but unsigned. */
export function appendUpdate(pdf: Buffer, changes: PdfChanges): string {
  const bodies: Record<number, string | null> = {
    [objectNumbers.catalog]: readObjectBody(
      pdf,
      objectNumbers.catalog,
      `/AcroForm << /Fields [${objectNumbers.field} 0 R] /SigFlags 3 >>`,
    ),
    [objectNumbers.page]: readObjectBody(pdf, objectNumbers.page, `/Annots [${objectNumbers.field} 0 R]`),
    [objectNumbers.field]: createSignatureField(),
    [objectNumbers.signature]: createSignatureDictionary(),
    ...changes.objects,
  };
  const objects = [
    ...Object.entries(bodies).flatMap(([id, body]) => (body === null ? [] : [[Number(id), body] as const])),
    ...(changes.more ?? []),
  ];
  const layout = changes.layout ?? 'table';
  return layout === 'table' ? withTable(pdf, objects, changes) : withStream(pdf, objects, changes, layout === 'packed');
}

type Objects = readonly (readonly [id: number, body: string])[];

const lastXref = (text: string): string => /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1] ?? '0';
const sizeOf = (objects: Objects): number => Math.max(objectNumbers.first, ...objects.map(([id]) => id + 1));

function withTable(pdf: Buffer, objects: Objects, changes: PdfChanges): string {
  const before = pdf.toString('latin1');
  const { entries = '', trailer = '', previous = lastXref(before) } = changes;
  let file = before + (changes.before ?? '');
  const sections = objects.map(([id, body]) => {
    const section = `${id} 1\n${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${id} 0 obj\n${body}\nendobj\n`;
    return section;
  });
  return `${file}xref\n0 1\n0000000000 65535 f \n${sections.join('')}${entries}trailer\n<< /Size ${sizeOf(objects)} /Root 1 0 R /Info 7 0 R /Prev ${previous} ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
}

function withStream(pdf: Buffer, objects: Objects, changes: PdfChanges, packs: boolean): string {
  const before = pdf.toString('latin1');
  const { trailer = '', previous = lastXref(before) } = changes;
  let file = before + (changes.before ?? '');
  const rows: (readonly [id: number, kind: number, second: number, third: number])[] = [];
  const write = (id: number, body: string): void => {
    rows.push([id, 1, file.length, 0]);
    file += `${id} 0 obj\n${body}\nendobj\n`;
  };
  const isPacked = ([id, body]: Objects[number]): boolean =>
    packs && id !== objectNumbers.signature && !body.includes('stream\n');
  const packed = objects.filter(isPacked);
  for (const [id, body] of objects.filter((object) => !isPacked(object))) write(id, body);
  const [container, xref] = [sizeOf(objects), sizeOf(objects) + 1];
  if (packs) {
    for (const [index, [id]] of packed.entries()) rows.push([id, 2, container, index]);
    write(container, createObjectStream(packed, changes));
  }
  const at = file.length;
  rows.push([xref, 1, at, 0]);
  const sorted = rows.toSorted(([one], [other]) => one - other);
  const data = Buffer.concat(
    sorted.map(([, kind, second, third]) =>
      Buffer.from([kind, second >> 16, (second >> 8) & 255, second & 255, third]),
    ),
  );
  const keys = `/Type /XRef /W [1 3 1] /Index [${sorted.map(([id]) => `${id} 1`).join(' ')}] /Size ${xref + 1} /Root 1 0 R /Info 7 0 R /Prev ${previous} ${trailer}`;
  file += `${xref} 0 obj\n${createCompressedStream(applyPredictor(data, 5), `${keys} /DecodeParms << /Predictor 12 /Columns 5 >>`)}\nendobj\n`;
  return `${file}startxref\n${at}\n%%EOF\n`;
}

function createObjectStream(objects: Objects, { editPacked = (text) => text, packedKeys = '' }: PdfChanges): string {
  let body = '';
  const head = objects.map(([id, text]) => {
    const pair = `${id} ${body.length}`;
    body += `${text}\n`;
    return pair;
  });
  const first = `${head.join(' ')}\n`;
  return createCompressedStream(
    Buffer.from(editPacked(first + body), 'latin1'),
    `/Type /ObjStm /N ${objects.length} /First ${first.length} ${packedKeys}`,
  );
}

/** Encodes each row as its difference from the row above (PNG filter Up). */
function applyPredictor(data: Buffer, columns: number): Buffer {
  const rows = Array.from({ length: data.length / columns }, (_, row) => row * columns);
  return Buffer.concat(
    rows.map((from) =>
      Buffer.from([
        2,
        ...data.subarray(from, from + columns).map((byte, at) => byte - (data[from - columns + at] ?? 0)),
      ]),
    ),
  );
}

function createCompressedStream(data: Buffer, keys: string): string {
  return createStream(deflateSync(data).toString('latin1'), `/Filter /FlateDecode ${keys}`);
}
