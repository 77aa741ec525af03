import {
  decodePdfStream,
  PdfReader,
  isNonNegativeInteger,
  isPdfDictionary,
  isPdfName,
  PdfError,
  PdfStream,
  type PdfDictionary,
  type PdfValue,
} from './pdf-reader.ts';
import { maxPdfObjects, readXrefStream, readXrefTable, type XrefEntries } from './read-pdf-xref.ts';

/** Objects of one revision of a PDF, which is the original file or an incremental update. */
export interface PdfRevision {
  readonly objects: ReadonlyMap<number, PdfValue>;
  /** Numbers of the objects that are in object streams. */
  readonly packed: ReadonlySet<number>;
  readonly trailer: PdfDictionary;
  /** Offset of the revision's cross-reference table or stream. */
  readonly xrefOffset: number;
}

/** Maximum number of object streams. It is low, because each stream can inflate to a megabyte. */
const maxObjectStreams = 8;
const patterns = {
  objectStart: /(\d{1,7})[\t\n\r ]+0[\t\n\r ]+obj(?=[\t\n\r <[(/])/y,
  objectEnd: /endobj(?=[\t\n\r ])/y,
  streamStart: /stream(?:\r\n|\n)/y,
  streamEnd: /(?:\r\n|\n|\r)?endstream/y,
  comment: /%(?!%EOF)[^\r\n]{0,200}[\r\n]/y,
  xref: /xref[ ]*(?:\r\n|\n|\r)/y,
  trailer: /trailer/y,
  end: /startxref[\t\n\r ]+(\d{1,9})[\t\n\r ]+%%EOF[\t\n\r ]*/y,
  integer: /\d{1,7}(?=[\t\n\r ]|$)/y,
} as const;
/** Matches the keywords by which PDF readers that scan the file find objects, even within a string, a stream or a comment. */
const structurePattern = /\d[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj|endobj|endstream|trailer|startxref|xref|%%EOF|%PDF-/g;

/**
 * Reads the revision between `start` and the end of `text`. Readers that use the cross-reference and readers that scan the file must find the same
 * objects. Therefore, objects must follow each other without gaps, the cross-reference must list each object once at its offset, and nothing else
 * may look like an object. Throws a `PdfError`.
 */
export function readPdfRevision(text: string, start: number): PdfRevision {
  const reader = new PdfReader(text, start);
  const objects = readObjects(reader);
  const xref = readXref(reader, objects);
  skipComments(reader);
  const [, xrefAt] = reader.consumeRequiredMatch(patterns.end);
  if (reader.position !== text.length) throw new PdfError('data follows the end of the file');
  if (Number(xrefAt) !== xref.at) throw new PdfError('startxref is not the offset of the cross-reference');
  const keywords = text.slice(start).match(structurePattern) ?? [];
  if (keywords.length !== countExpectedKeywords(objects, xref))
    throw new PdfError('an object is hidden in other content');
  return { ...resolveObjects(objects, xref), trailer: xref.trailer, xrefOffset: xref.at };
}

/** An object that is not in an object stream, and its offset. */
interface DirectObject {
  readonly at: number;
  readonly value: PdfValue;
}

function readObjects(reader: PdfReader): ReadonlyMap<number, DirectObject> {
  const objects = new Map<number, DirectObject>();
  for (;;) {
    skipComments(reader);
    const { position: at } = reader;
    const start = reader.consumeMatch(patterns.objectStart);
    if (start === null) return objects;
    const id = Number(start[1]);
    if (objects.has(id)) throw new PdfError(`object ${id} occurs twice`);
    if (objects.size >= maxPdfObjects) throw new PdfError('too many objects');
    objects.set(id, { at, value: readObject(reader) });
  }
}

function skipComments(reader: PdfReader): void {
  do reader.skipSpace();
  while (reader.consumeMatch(patterns.comment) !== null);
}

function readObject(reader: PdfReader): PdfValue {
  const value = reader.readValue();
  reader.skipSpace();
  if (!isPdfDictionary(value) || reader.consumeMatch(patterns.streamStart) === null) {
    reader.consumeRequiredMatch(patterns.objectEnd);
    return value;
  }
  const length = value.get('Length');
  if (!isNonNegativeInteger(length)) throw new PdfError('a stream has no direct Length');
  const bytes = Buffer.from(reader.text.slice(reader.position, reader.position + length), 'latin1');
  reader.position += length;
  reader.consumeRequiredMatch(patterns.streamEnd);
  reader.skipSpace();
  reader.consumeRequiredMatch(patterns.objectEnd);
  return new PdfStream(value, bytes);
}

interface Xref {
  readonly at: number;
  readonly entries: XrefEntries;
  readonly trailer: PdfDictionary;
  /** Object number of the cross-reference stream. `null` if the cross-reference is a table. */
  readonly stream: number | null;
}

/** Reads the xref table at the current position. Without a table, reads the xref stream, which must be the last object. */
function readXref(reader: PdfReader, objects: ReadonlyMap<number, DirectObject>): Xref {
  const { position: at } = reader;
  if (reader.consumeMatch(patterns.xref) !== null) {
    const entries = readXrefTable(reader);
    reader.skipSpace();
    reader.consumeRequiredMatch(patterns.trailer);
    return { at, entries, trailer: reader.readDictionary(), stream: null };
  }
  const [id, last] = [...objects].at(-1) ?? [];
  if (id === undefined || !(last?.value instanceof PdfStream) || !isPdfName(last.value.dictionary.get('Type'), 'XRef'))
    throw new PdfError('there is no cross-reference');
  return { at: last.at, entries: readXrefStream(last.value), trailer: last.value.dictionary, stream: id };
}

/** The keywords of a valid file are three per stream, two per other object, `xref` and `trailer` of a table, `startxref` and `%%EOF`. */
function countExpectedKeywords(objects: ReadonlyMap<number, DirectObject>, { stream }: Xref): number {
  const words = [...objects.values()].map(({ value }) => (value instanceof PdfStream ? 3 : 2));
  return words.reduce((sum, count) => sum + count, 0) + (stream === null ? 2 : 0) + 2;
}

/** Checks that the cross-reference lists exactly the objects of the revision, and reads the objects in object streams. */
function resolveObjects(objects: ReadonlyMap<number, DirectObject>, { entries, stream, trailer }: Xref) {
  const resolved = new Map<number, PdfValue>();
  const packed = new Set<number>();
  const unseen = new Map(entries);
  let streams = 0;
  for (const [id, { at, value }] of objects) {
    const isListed = unseen.get(id)?.at === at;
    // A cross-reference stream may omit itself.
    if (!isListed && (id !== stream || unseen.has(id))) throw new PdfError(`object ${id} is not listed at its offset`);
    unseen.delete(id);
    if (id === stream) continue;
    const isPacked = value instanceof PdfStream && isPdfName(value.dictionary.get('Type'), 'ObjStm');
    if (isPacked && ++streams > maxObjectStreams) throw new PdfError('too many object streams');
    if (!isPacked) resolved.set(id, value);
    for (const [index, [inner, item]] of (isPacked ? readObjectStream(value) : []).entries()) {
      const entry = unseen.get(inner);
      if (entry?.container !== id || entry.index !== index)
        throw new PdfError(`object ${inner} is not listed in its object stream`);
      unseen.delete(inner);
      resolved.set(inner, item);
      packed.add(inner);
    }
  }
  if (unseen.size > 0) throw new PdfError('the cross-reference lists an object that is missing');
  const size = trailer.get('Size');
  const largest = Math.max(...objects.keys(), ...resolved.keys());
  if (!isNonNegativeInteger(size) || size <= largest || resolved.has(0))
    throw new PdfError('Size of the trailer is wrong');
  return { objects: resolved, packed };
}

/** Reads the objects of an object stream (ISO 32000-1, section 7.5.7) with their numbers. Throws if there are gaps between the objects. */
function readObjectStream(stream: PdfStream): readonly (readonly [id: number, value: PdfValue])[] {
  const { N: count, First: first } = Object.fromEntries(stream.dictionary);
  if (
    !isNonNegativeInteger(count) ||
    !isNonNegativeInteger(first) ||
    count > maxPdfObjects ||
    stream.dictionary.has('Extends')
  )
    throw new PdfError('an object stream has an unsupported format');
  const text = decodePdfStream(stream).toString('latin1');
  const head = new PdfReader(text.slice(0, first));
  const pairs = Array.from({ length: count }, () => [readInteger(head), readInteger(head)] as const);
  const body = new PdfReader(text, first);
  const read = pairs.map(([id, offset]) => {
    body.skipSpace();
    if (body.position !== first + offset) throw new PdfError('an object stream has bytes between its objects');
    return [id, body.readValue()] as const;
  });
  for (const reader of [head, body]) {
    reader.skipSpace();
    if (reader.position !== reader.text.length) throw new PdfError('an object stream has bytes between its objects');
  }
  return read;
}

function readInteger(reader: PdfReader): number {
  reader.skipSpace();
  return Number(reader.consumeRequiredMatch(patterns.integer)[0]);
}
