import {
  isPdfArray,
  isNonNegativeInteger,
  isPdfDictionary,
  isPdfName,
  isSamePdfValue,
  PdfError,
  PdfName,
  PdfReference,
  PdfString,
  type PdfDictionary,
  type PdfValue,
  PdfStream,
  decodePdfStream,
} from './pdf-reader.ts';
import type { PdfRevision } from './read-pdf-revision.ts';
import { PdfUpdateObjects } from './pdf-update-objects.ts';
import { createSignatureRefusalError } from '../../../trust/certificates/certificate.ts';
import type { PdfRectangle } from '../write-pdf.ts';

/** Bits of an annotation's flags (ISO 32000-1, table 165) that do not change its size or orientation. */
const harmlessFlags = 0b10_1110_0111;
const formKeys = [
  ...['Type', 'Subtype', 'FormType', 'Name', 'BBox', 'Matrix', 'Resources', 'Group'],
  ...['Length', 'Filter', 'DecodeParms'],
];

/**
 * Checks that a signature widget does not cover the text. Viewers clip the widget's appearance to its rectangle (ISO 32000-1, section 12.5.5), so
 * the rectangle must not overlap the text. An empty rectangle requires an empty appearance. Throws an `OperationError` 400 if the widget covers
 * the text, and a `PdfError` if it is malformed.
 */
function checkAppearance(widget: PdfDictionary, objects: PdfUpdateObjects, textArea: PdfRectangle): void {
  const box = readRectangle(widget.get('Rect'));
  const flags = widget.get('F') ?? 0;
  if (!isNonNegativeInteger(flags) || (flags & ~harmlessFlags) !== 0)
    throw new PdfError('the widget has flags that are not allowed');
  if (!isEmpty(box) && overlaps(box, textArea)) throw createSignatureRefusalError('firma_sobre_el_texto');
  const states = objects.resolveReference(widget.get('AP'));
  if (states === undefined) return;
  if (!isPdfDictionary(states) || states.size !== 1) throw new PdfError('the widget has more than a normal appearance');
  const form = objects.resolveReference(states.get('N'));
  if (!(form instanceof PdfStream)) throw new PdfError('the appearance is not a stream');
  checkFormXObject(form, isEmpty(box));
  objects.visitReferences(form);
}

function checkFormXObject(form: PdfStream, isInvisible: boolean): void {
  const { dictionary } = form;
  const unknown = [...dictionary.keys()].find((key) => !formKeys.includes(key));
  if (unknown !== undefined) throw new PdfError(`the key ${unknown} of an appearance is not allowed`);
  if (!isPdfName(dictionary.get('Subtype'), 'Form')) throw new PdfError('the appearance is not a form');
  const [a, b, c, d] = readNumbers(dictionary.get('Matrix') ?? [1, 0, 0, 1, 0, 0], 6);
  if (a !== 1 || b !== 0 || c !== 0 || d !== 1) throw new PdfError('the appearance is rotated, scaled or skewed');
  if (!isInvisible && !isEmpty(readRectangle(dictionary.get('BBox')))) return;
  const content = decodePdfStream(form).toString('latin1');
  if (content.replace(/%[^\r\n]*/g, '').trim() !== '')
    throw new PdfError('the appearance draws outside its empty rectangle');
}

function readRectangle(value: PdfValue | undefined): PdfRectangle {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = readNumbers(value, 4);
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

function readNumbers(value: PdfValue | undefined, count: number): readonly number[] {
  if (!isPdfArray(value) || value.length !== count || !value.every((item) => typeof item === 'number'))
    throw new PdfError('a list of numbers is missing or malformed');
  return value;
}

function isEmpty({ left, bottom, right, top }: PdfRectangle): boolean {
  return left === right || bottom === top;
}

function overlaps(one: PdfRectangle, other: PdfRectangle): boolean {
  return one.left < other.right && one.right > other.left && one.bottom < other.top && one.top > other.bottom;
}

export interface PdfSignatureDictionary {
  readonly byteRange: readonly number[];
  readonly contents: PdfString;
}

/** Keys that signing programs write. All other keys, such as actions, optional content, other fields and XFA, are rejected. */
const allowedKeys = {
  trailer: ['Size', 'Root', 'Info', 'ID', 'Prev', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms'],
  catalog: ['AcroForm', 'Perms', 'Extensions', 'Version', 'Metadata'],
  page: ['Annots'],
  info: ['Producer', 'Creator', 'CreationDate', 'ModDate', 'Trapped'],
  form: ['Fields', 'SigFlags', 'DA', 'DR'],
  field: [
    ...['Type', 'Subtype', 'FT', 'T', 'TU', 'TM', 'Ff', 'V', 'Lock'],
    ...['Rect', 'P', 'F', 'M', 'NM', 'AP', 'MK', 'BS', 'Border', 'DA', 'DR', 'Q'],
  ],
  signature: [
    ...['Type', 'Filter', 'SubFilter', 'ByteRange', 'Contents', 'Reference'],
    ...['Name', 'M', 'Location', 'Reason', 'ContactInfo', 'Prop_Build', 'Prop_AuthTime', 'Prop_AuthType'],
  ],
} as const;
const signatureFormats = ['adbe.pkcs7.detached', 'ETSI.CAdES.detached'];

/**
 * Checks that an incremental update only adds one signature to the statement. It may add a form with one signature
 * field to the catalog, the field's widget to the page, and dates and program names to the document information. No
 * other objects are allowed. The widget must not be in `textArea`. Throws a `PdfError`, or an `OperationError` 400 if
 * the widget covers the text.
 */
export function checkPdfSignatureUpdate(
  statement: PdfRevision,
  update: PdfRevision,
  textArea: PdfRectangle,
): PdfSignatureDictionary {
  const { root, page, info } = findObjects(statement);
  const objects = new PdfUpdateObjects(update.objects, statement.objects, [root, page, info]);
  checkTrailer(update.trailer, statement, objects);

  const catalog = readAddedKeys(statement.objects.get(root), objects.visitObject(root), allowedKeys.catalog);
  const form = readDictionary(objects.resolveReference(catalog.get('AcroForm')), allowedKeys.form);
  const fieldId = readOnlyReference(objects.resolveReference(form.get('Fields')));
  const field = readDictionary(objects.visitObject(fieldId), allowedKeys.field);
  const signatureId = readReferenceId(field.get('V'));
  const signature = readDictionary(objects.visitObject(signatureId), allowedKeys.signature);

  if (update.objects.has(page)) {
    const added = readAddedKeys(statement.objects.get(page), objects.visitObject(page), allowedKeys.page);
    if (readOnlyReference(objects.resolveReference(added.get('Annots'))) !== fieldId)
      throw new PdfError('the page has an annotation besides the signature field');
  }
  checkField(field, page);
  checkAppearance(field, objects, textArea);
  checkPermissions(objects.resolveReference(catalog.get('Perms')), signatureId);
  checkMetadata(objects.resolveReference(catalog.get('Metadata')), findTitle(statement.objects.get(info)));
  for (const key of ['Extensions', 'Version']) objects.visitReferences(catalog.get(key));
  for (const key of ['SigFlags', 'DA', 'DR']) objects.visitReferences(form.get(key));
  for (const [key, value] of field) if (!['V', 'P', 'AP'].includes(key)) objects.visitReferences(value);
  checkSignature(signature, objects, root);
  objects.assertAllVisited();
  if (update.packed.has(signatureId)) throw new PdfError('the signature is in an object stream');
  return { byteRange: readByteRange(signature), contents: readContents(signature) };
}

function findObjects({ trailer, objects }: PdfRevision): Readonly<Record<'root' | 'page' | 'info', number>> {
  const root = readReferenceId(trailer.get('Root'));
  const catalog = objects.get(root);
  const pages = isPdfDictionary(catalog) ? objects.get(readReferenceId(catalog.get('Pages'))) : undefined;
  if (!isPdfDictionary(pages)) throw new PdfError('the statement has no page tree');
  return { root, page: readOnlyReference(pages.get('Kids')), info: readReferenceId(trailer.get('Info')) };
}

function checkTrailer(trailer: PdfDictionary, statement: PdfRevision, objects: PdfUpdateObjects): void {
  readDictionary(trailer, allowedKeys.trailer);
  if (trailer.get('Prev') !== statement.xrefOffset)
    throw new PdfError('Prev is not the cross-reference of the statement');
  if (!isSamePdfValue(trailer.get('Root'), statement.trailer.get('Root')))
    throw new PdfError('the trailer names another catalog');
  const ids = trailer.get('ID') ?? [];
  if (!isPdfArray(ids) || !ids.every((id) => id instanceof PdfString))
    throw new PdfError('the file identifier is malformed');
  const info = trailer.get('Info');
  if (info === undefined) return;
  const before = statement.trailer.get('Info');
  if (isSamePdfValue(info, before) && !objects.has(readReferenceId(before))) return;
  const old = statement.objects.get(readReferenceId(before));
  for (const value of readAddedKeys(old, objects.visitObject(readReferenceId(info)), allowedKeys.info).values())
    if (!(value instanceof PdfString || value instanceof PdfName))
      throw new PdfError('an entry of the document information is neither text nor a name');
}

/** Returns the entries that `after` adds to `before`. Throws if an entry of `before` is missing or changed, or if an added key is not allowed. */
function readAddedKeys(before: PdfValue | undefined, after: PdfValue | undefined, allowed: readonly string[]) {
  if (!isPdfDictionary(before) || !isPdfDictionary(after)) throw new PdfError('a value is not a dictionary');
  for (const [key, value] of before)
    if (!isSameEntry(value, after.get(key))) throw new PdfError(`the value of ${key} was changed`);
  return readDictionary(new Map([...after].filter(([key]) => !before.has(key))), allowed);
}

/** Compares two values. Compares text strings by character, because their encoding may be Latin-1 or UTF-16. */
function isSameEntry(before: PdfValue, after: PdfValue | undefined): boolean {
  if (before instanceof PdfString && after instanceof PdfString) return decodeText(before) === decodeText(after);
  return isSamePdfValue(before, after);
}

function decodeText({ bytes }: PdfString): string {
  const isUtf16 = bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0;
  return isUtf16 ? Buffer.from(bytes).swap16().toString('utf16le').slice(1) : bytes.toString('latin1');
}

function findTitle(info: PdfValue | undefined): string {
  const title = isPdfDictionary(info) ? info.get('Title') : undefined;
  if (!(title instanceof PdfString)) throw new PdfError('the statement has no title');
  return decodeText(title);
}

function readDictionary(value: PdfValue | undefined, allowed: readonly string[]): PdfDictionary {
  if (!isPdfDictionary(value)) throw new PdfError('a value is not a dictionary');
  for (const key of value.keys()) if (!allowed.includes(key)) throw new PdfError(`the key ${key} is not allowed`);
  return value;
}

function readReferenceId(value: PdfValue | undefined): number {
  if (!(value instanceof PdfReference)) throw new PdfError('a value is not a reference');
  return value.id;
}

function readOnlyReference(value: PdfValue | undefined): number {
  if (!isPdfArray(value) || value.length !== 1) throw new PdfError('a list does not have exactly one reference');
  return readReferenceId(value[0]);
}

function checkField(field: PdfDictionary, page: number): void {
  if (!isPdfName(field.get('FT'), 'Sig') || !isPdfName(field.get('Subtype'), 'Widget'))
    throw new PdfError('the field is not a signature field');
  if (!isPdfName(field.get('Type') ?? new PdfName('Annot'), 'Annot'))
    throw new PdfError('the field is not an annotation');
  if (field.has('P') && readReferenceId(field.get('P')) !== page) throw new PdfError('the field is on another page');
  for (const key of ['Ff', 'Q'])
    if (!isNonNegativeInteger(field.get(key) ?? 0)) throw new PdfError(`${key} is not a whole number`);
}

function checkPermissions(permissions: PdfValue | undefined, signature: number): void {
  if (permissions === undefined) return;
  if (readReferenceId(readDictionary(permissions, ['DocMDP']).get('DocMDP')) !== signature)
    throw new PdfError('the permissions refer to another signature');
}

function checkSignature(signature: PdfDictionary, objects: PdfUpdateObjects, root: number): void {
  if (!signatureFormats.some((format) => isPdfName(signature.get('SubFilter'), format)))
    throw new PdfError('the signature has an unsupported SubFilter');
  if (signature.has('Type') && !isPdfName(signature.get('Type'), 'Sig'))
    throw new PdfError('the value of the field is not a signature');
  const references = objects.resolveReference(signature.get('Reference')) ?? [];
  if (!isPdfArray(references)) throw new PdfError('the signature references are malformed');
  for (const reference of references) {
    const entries = objects.resolveReference(reference);
    if (!isPdfDictionary(entries)) throw new PdfError('the signature references are malformed');
    for (const [key, value] of entries)
      if (!(key === 'Data' && value instanceof PdfReference && value.id === root)) objects.visitReferences(value);
  }
  for (const [key, value] of signature) if (key !== 'Reference') objects.visitReferences(value);
}

function readByteRange(signature: PdfDictionary): readonly number[] {
  const range = signature.get('ByteRange');
  if (!isPdfArray(range) || range.length !== 4 || !range.every(isNonNegativeInteger))
    throw new PdfError('the signature has no valid ByteRange');
  return range;
}

function readContents(signature: PdfDictionary): PdfString {
  const contents = signature.get('Contents');
  if (!(contents instanceof PdfString)) throw new PdfError('the signature has no Contents');
  return contents;
}

/** Checks that XMP metadata is plain XML and has the statement's title, because viewers show the title above the page. Throws a `PdfError`. */
function checkMetadata(metadata: PdfValue | undefined, title: string): void {
  if (metadata === undefined) return;
  if (!(metadata instanceof PdfStream)) throw new PdfError('the metadata is not a plain XML stream');
  const { dictionary, bytes } = metadata;
  const plain = [...dictionary.keys()].every((key) => ['Type', 'Subtype', 'Length'].includes(key));
  if (!plain || !isPdfName(dictionary.get('Subtype'), 'XML'))
    throw new PdfError('the metadata is not a plain XML stream');
  const titled =
    /<dc:title>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">([^<&]*)<\/rdf:li>\s*<\/rdf:Alt>\s*<\/dc:title>/g;
  const rest = bytes.toString('utf8').replace(titled, (whole, found: string) => (found === title ? '' : whole));
  if (/title|<!|\0/i.test(rest)) throw new PdfError('the metadata has another title');
}
