import { refused } from '../../../trust/certificates/refused.ts';
import { textArea } from '../write-pdf.ts';
import { checkUpdate, type SignatureDictionary } from './check-update.ts';
import { isSameValue, PdfError } from './pdf-values.ts';
import { readRevision } from './read-revision.ts';

/** Signature of a PDF and the bytes that it covers: the whole file except the signature itself. */
export interface PdfSignature {
  readonly cms: Buffer;
  readonly covered: Buffer;
}

const byteRange = /\/ByteRange\s{0,8}\[\s{0,8}(\d{1,9})\s{1,8}(\d{1,9})\s{1,8}(\d{1,9})\s{1,8}(\d{1,9})\s{0,128}\]/;
const header = '%PDF-1.7\n';

/**
 * Reads the signature of a signed PDF. The file must be `statement` byte by byte and one incremental update (PAdES, ISO 32000-1, section 7.5.6) that
 * only adds the signature. The signature must cover every byte except the value of /Contents. Throws a refusal.
 */
export function readPdf(file: Buffer, statement: Buffer): PdfSignature {
  if (!file.subarray(0, statement.length).equals(statement)) throw refused('firma_de_otro_documento');
  const text = file.toString('latin1');
  const update = text.slice(statement.length);
  const marks = update.split('/ByteRange').length - 1;
  if (marks === 0) throw refused('firma_ausente');
  if (marks > 1) throw refused('firma_multiple');
  const range = (byteRange.exec(update) ?? []).slice(1).map(Number);
  const [start, length, next, rest] = range;
  if (start === undefined || length === undefined || next === undefined || rest === undefined)
    throw refused('firma_ilegible');
  const coversAll = start === 0 && length > statement.length && next > length && next + rest === file.length;
  if (!coversAll) throw refused('firma_parcial');
  const signature = readSignature(statement, text);
  const { start: from, end: to } = signature.contents;
  if (from !== length || to !== next || text[from] !== '<') throw refused('firma_parcial');
  if (!isSameValue(signature.byteRange, range)) throw refused('firma_con_agregados');
  return {
    cms: trim(signature.contents.bytes),
    covered: Buffer.concat([file.subarray(0, length), file.subarray(next)]),
  };
}

function readSignature(statement: Buffer, text: string): SignatureDictionary {
  const original = readRevision(statement.toString('latin1'), header.length);
  try {
    return checkUpdate(original, readRevision(text, statement.length), textArea(statement));
  } catch (error) {
    throw error instanceof PdfError ? refused('firma_con_agregados', error) : error;
  }
}

export function isPdf(file: Buffer): boolean {
  return file.toString('latin1', 0, 5) === '%PDF-';
}

/** Removes the padding after the outer ASN.1 element. An indefinite length is left to the parser. */
function trim(bytes: Buffer): Buffer {
  const first = bytes[1] ?? 0;
  const lengthBytes = first & 0x7f;
  if (first < 0x80 || lengthBytes === 0 || lengthBytes > 4) return bytes;
  return bytes.subarray(0, 2 + lengthBytes + bytes.readUIntBE(2, lengthBytes));
}
