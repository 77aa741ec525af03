import { refused } from '../../../trust/certificates/refused.ts';

/** The signature of a signed PDF and every byte that it covers: the whole file but the signature itself. */
export interface PdfSignature {
  readonly cms: Buffer;
  readonly covered: Buffer;
}

const byteRange = /\/ByteRange\s*\[\s*(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s*\]/;
const contentsKey = /\/Contents\s*$/;
/** A byte range leaves this much room, in characters, between the key and its value. */
const keyReach = 64;

/**
 * Reads the one signature of a PDF that continues `statement` byte by byte (an incremental update: PAdES, ISO 32000). The file is
 * searched as text and never interpreted: what the statement says is settled by its prefix, what was signed by the byte range,
 * which must leave out nothing but the value of /Contents. Throws a refusal.
 */
export function readPdf(file: Buffer, statement: Buffer): PdfSignature {
  if (!file.subarray(0, statement.length).equals(statement)) throw refused('firma_de_otro_documento');
  const update = file.subarray(statement.length).toString('latin1');
  const marks = update.split('/ByteRange').length - 1;
  if (marks === 0) throw refused('firma_ausente');
  if (marks > 1) throw refused('firma_multiple');
  const [, start, length, next, rest] = (byteRange.exec(update) ?? []).map(Number);
  if (start === undefined || length === undefined || next === undefined || rest === undefined)
    throw refused('firma_ilegible');
  const coversAll = start === 0 && length > statement.length && next > length && next + rest === file.length;
  if (!coversAll || !contentsKey.test(file.toString('latin1', length - keyReach, length)))
    throw refused('firma_parcial');
  return {
    cms: readHex(file.toString('latin1', length, next)),
    covered: Buffer.concat([file.subarray(0, length), file.subarray(next)]),
  };
}

/** Whether a file is a PDF by its first bytes. */
export function isPdf(file: Buffer): boolean {
  return file.toString('latin1', 0, 5) === '%PDF-';
}

/** The bytes of a hexadecimal string, without the zeros that fill the room which was kept for it. */
function readHex(text: string): Buffer {
  const [, digits] = /^<([0-9A-Fa-f\s]*)>$/.exec(text) ?? [];
  if (digits === undefined) throw refused('firma_parcial');
  return trim(Buffer.from(digits.replace(/\s/g, ''), 'hex'));
}

/** Cuts at the length that the first tag tells; one of indefinite length is left to its reader. */
function trim(bytes: Buffer): Buffer {
  const first = bytes[1] ?? 0;
  const lengthBytes = first & 0x7f;
  if (first < 0x80 || lengthBytes === 0 || lengthBytes > 4) return bytes;
  return bytes.subarray(0, 2 + lengthBytes + bytes.readUIntBE(2, lengthBytes));
}
