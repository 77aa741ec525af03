import {
  decodePdfStream,
  type PdfReader,
  isPdfArray,
  isNonNegativeInteger,
  PdfError,
  type PdfStream,
  type PdfValue,
} from './pdf-reader.ts';

/** Position of an object in a cross-reference: an offset in the file, or an index in an object stream. */
type XrefEntry =
  | { readonly at: number; readonly container?: never }
  | { readonly container: number; readonly index: number; readonly at?: never };

export type XrefEntries = ReadonlyMap<number, XrefEntry>;

/** Maximum number of objects. A signature with its appearance and fonts has a few dozen objects. */
export const maxPdfObjects = 1000;
const patterns = {
  section: /(\d{1,7}) (\d{1,5})[ ]*(?:\r\n|\n|\r)/y,
  entry: /(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)/y,
} as const;
const entryKinds = { free: 0, plain: 1, packed: 2 } as const;

/** Reads the entries of a cross-reference table (ISO 32000-1, section 7.5.4) after its keyword. Throws a `PdfError`. */
export function readXrefTable(reader: PdfReader): XrefEntries {
  const entries = new Map<number, XrefEntry>();
  for (;;) {
    const section = reader.consumeMatch(patterns.section);
    if (section === null) return entries;
    const first = Number(section[1]);
    for (let id = first; id < first + Number(section[2]); id += 1) {
      const [, at, generation, kind] = reader.consumeRequiredMatch(patterns.entry);
      addEntry(entries, id, kind === 'n' ? entryKinds.plain : entryKinds.free, Number(at), Number(generation));
    }
  }
}

/** Reads the entries of a cross-reference stream (ISO 32000-1, section 7.5.8). Throws a `PdfError`. */
export function readXrefStream(stream: PdfStream): XrefEntries {
  const { W: widths, Index: index, Size: size } = Object.fromEntries(stream.dictionary);
  const ranges = index ?? [0, size ?? null];
  if (!areCounts(widths) || widths.length !== 3 || Math.max(...widths) > 6 || !areCounts(ranges))
    throw new PdfError('the cross-reference stream has an unsupported format');
  const data = decodePdfStream(stream);
  const entries = new Map<number, XrefEntry>();
  let at = 0;
  const readField = (place: number, missing: number): number => {
    const width = widths[place] ?? 0;
    if (width === 0) return missing;
    if (at + width > data.length) throw new PdfError('the cross-reference stream is too short');
    at += width;
    return data.readUIntBE(at - width, width);
  };
  for (let range = 0; range < ranges.length; range += 2) {
    const [first = 0, count = 0] = ranges.slice(range, range + 2);
    for (let id = first; id < first + count; id += 1)
      addEntry(entries, id, readField(0, entryKinds.plain), readField(1, 0), readField(2, 0));
  }
  if (at !== data.length) throw new PdfError('the cross-reference stream is too long');
  return entries;
}

function addEntry(entries: Map<number, XrefEntry>, id: number, kind: number, second: number, third: number): void {
  if (id === 0 && kind === entryKinds.free) return; // object 0 is the head of the list of free objects
  if (entries.has(id)) throw new PdfError(`object ${id} is listed twice`);
  if (entries.size >= maxPdfObjects) throw new PdfError('too many objects');
  if (kind === entryKinds.plain && third === 0) entries.set(id, { at: second });
  else if (kind === entryKinds.packed) entries.set(id, { container: second, index: third });
  else throw new PdfError(`object ${id} is free or not of generation 0`);
}

function areCounts(value: PdfValue | undefined): value is readonly number[] {
  return isPdfArray(value) && value.length <= maxPdfObjects && value.every(isNonNegativeInteger);
}
