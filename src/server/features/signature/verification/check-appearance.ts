import { refused } from '../../../trust/certificates/certificate.ts';
import { decodeStream } from './decode-stream.ts';
import {
  isArray,
  isCount,
  isDictionary,
  isName,
  PdfError,
  PdfStream,
  type PdfDictionary,
  type PdfValue,
} from './pdf-reader.ts';
import type { UpdateObjects } from './update-objects.ts';

/** A rectangle on the page, in points from its lower left corner. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Bits of an annotation's flags (ISO 32000-1, table 165) that change neither its size nor its orientation. */
const harmlessFlags = 0b10_1110_0111;
const formKeys = [
  ...['Type', 'Subtype', 'FormType', 'Name', 'BBox', 'Matrix', 'Resources', 'Group'],
  ...['Length', 'Filter', 'DecodeParms'],
];

/**
 * Checks the appearance of a signature widget. Viewers clip it to the widget's rectangle (section 12.5.5), which must not overlap the text. The
 * appearance for an empty rectangle must be empty. Throws a `PdfError`, or a refusal if the widget covers the text.
 */
export function checkAppearance(widget: PdfDictionary, objects: UpdateObjects, textArea: Box): void {
  const box = readBox(widget.get('Rect'));
  const flags = widget.get('F') ?? 0;
  if (!isCount(flags) || (flags & ~harmlessFlags) !== 0) throw new PdfError('unknown flags of a widget');
  if (!isEmpty(box) && overlaps(box, textArea)) throw refused('firma_sobre_el_texto');
  const states = objects.resolve(widget.get('AP'));
  if (states === undefined) return;
  if (!isDictionary(states) || states.size !== 1) throw new PdfError('unknown appearances');
  const form = objects.resolve(states.get('N'));
  if (!(form instanceof PdfStream)) throw new PdfError('an unknown appearance');
  checkForm(form, isEmpty(box));
  objects.follow(form);
}

function checkForm(form: PdfStream, isInvisible: boolean): void {
  const { dictionary } = form;
  const unknown = [...dictionary.keys()].find((key) => !formKeys.includes(key));
  if (unknown !== undefined || !isName(dictionary.get('Subtype'), 'Form'))
    throw new PdfError(`the key ${unknown} of an appearance`);
  const [a, b, c, d] = numbers(dictionary.get('Matrix') ?? [1, 0, 0, 1, 0, 0], 6);
  if (a !== 1 || b !== 0 || c !== 0 || d !== 1) throw new PdfError('a turned or scaled appearance');
  if (!isInvisible && !isEmpty(readBox(dictionary.get('BBox')))) return;
  const content = decodeStream(form).toString('latin1');
  if (content.replace(/%[^\r\n]*/g, '').trim() !== '') throw new PdfError('an invisible appearance that draws');
}

function readBox(value: PdfValue | undefined): Box {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers(value, 4);
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

function numbers(value: PdfValue | undefined, count: number): readonly number[] {
  if (!isArray(value) || value.length !== count || !value.every((item) => typeof item === 'number'))
    throw new PdfError('no list of numbers');
  return value;
}

function isEmpty({ left, bottom, right, top }: Box): boolean {
  return left === right || bottom === top;
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.bottom < other.top && one.top > other.bottom;
}
