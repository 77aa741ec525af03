import {
  isPdfArray,
  isPdfDictionary,
  isPdfName,
  PdfError,
  PdfReference,
  PdfStream,
  type PdfDictionary,
  type PdfValue,
} from './pdf-reader.ts';

type Objects = ReadonlyMap<number, PdfValue>;

/** Keys that would add actions, optional content, references to other files, or PostScript to an appearance. */
const refusedKeys = ['AA', 'JS', 'OC', 'OCGs', 'Properties', 'Ref', 'OPI', 'Alternates', 'PS', 'URI'];
const refusedStreamKeys = ['F', 'FFilter', 'FDecodeParms'];
const refusedTypes = [
  ...['Action', 'OCG', 'OCMD', 'Filespec', 'EmbeddedFile'],
  ...['Annot', 'Page', 'Pages', 'Catalog', 'ObjStm', 'XRef'],
];

/** The objects of an incremental update. Tracks visited objects, so that every object is used exactly once. Each method throws a `PdfError`. */
export class PdfUpdateObjects {
  private readonly objects: Objects;
  private readonly opened = new Set<number>();
  private readonly shared = new Set<number>();

  /** Throws if the update replaces an object of the statement, except those whose numbers are in `replaceable`. */
  constructor(objects: Objects, statement: Objects, replaceable: readonly number[]) {
    this.objects = objects;
    for (const id of objects.keys())
      if (statement.has(id) && !replaceable.includes(id))
        throw new PdfError(`object ${id} of the statement is replaced`);
  }

  has(id: number): boolean {
    return this.objects.has(id);
  }

  /** Returns an object of the update and records the visit. Throws if the object was visited before. */
  visitObject(id: number): PdfValue {
    const value = this.objects.get(id);
    if (value === undefined || value instanceof PdfReference || this.opened.has(id))
      throw new PdfError(`object ${id} is missing or used twice`);
    this.opened.add(id);
    return value;
  }

  resolveReference(value: PdfValue | undefined): PdfValue | undefined {
    return value instanceof PdfReference ? this.visitObject(value.id) : value;
  }

  /** Visits everything that a value references, directly or indirectly. Only plain data and objects that draw an appearance are allowed. */
  visitReferences(value: PdfValue | undefined): void {
    const pending: (PdfValue | undefined)[] = [value];
    while (pending.length > 0) {
      const next = pending.pop();
      if (next instanceof PdfReference) pending.push(this.openShared(next.id));
      else if (next instanceof PdfStream) {
        if (refusedStreamKeys.some((key) => next.dictionary.has(key)))
          throw new PdfError('a stream refers to another file');
        pending.push(next.dictionary);
      } else if (isPdfArray(next)) for (const item of next) pending.push(item);
      else if (isPdfDictionary(next)) {
        assertDrawable(next);
        for (const item of next.values()) pending.push(item);
      }
    }
  }

  /** Visits an object that several objects may reference, such as a font. Returns `null` for an object that was visited before. */
  private openShared(id: number): PdfValue {
    if (this.shared.has(id)) return null;
    this.shared.add(id);
    return this.visitObject(id);
  }

  assertAllVisited(): void {
    const unused = [...this.objects.keys()].find((id) => !this.opened.has(id));
    if (unused !== undefined) throw new PdfError(`object ${unused} is not referenced`);
  }
}

function assertDrawable(dictionary: PdfDictionary): void {
  const refused = refusedKeys.find((key) => dictionary.has(key));
  if (refused !== undefined) throw new PdfError(`the key ${refused} is not allowed`);
  if (
    refusedTypes.some((type) => isPdfName(dictionary.get('Type'), type)) ||
    isPdfName(dictionary.get('Subtype'), 'PS')
  )
    throw new PdfError('an object is not part of a drawing');
}
