import { inflateSync } from 'node:zlib';
import {
  isArray,
  isNonNegativeInteger,
  isDictionary,
  isName,
  PdfError,
  type PdfDictionary,
  type PdfStream,
  type PdfValue,
} from './pdf-reader.ts';

/** Maximum size of a decoded cross-reference or object stream, in bytes. Those of a signature have a few kilobytes. */
const longest = 1024 * 1024;
/** Maximum size of a cross-reference entry, which is a row, in bytes. */
const widestRow = 64;
const predictors = { none: 1, firstOfPng: 10, lastOfPng: 15 } as const;
const rowFilters = { none: 0, up: 2 } as const;

/** Decodes a cross-reference or object stream: unfiltered or FlateDecode, with no predictor or PNG's None or Up. Throws a `PdfError`. */
export function decodeStream({ dictionary, bytes }: PdfStream): Buffer {
  const filter = single(dictionary.get('Filter'));
  if (filter === undefined) return bytes;
  if (!isName(filter, 'FlateDecode')) throw new PdfError('an unknown filter');
  const parameters = single(dictionary.get('DecodeParms')) ?? new Map();
  if (!isDictionary(parameters)) throw new PdfError('parameters of a filter that are no dictionary');
  try {
    return undoPredictor(inflateSync(bytes, { maxOutputLength: longest }), parameters);
  } catch (cause) {
    throw cause instanceof PdfError ? cause : new PdfError('a stream that cannot be inflated', { cause });
  }
}

/** Returns the only item of an array, or the value itself if it is not an array. */
function single(value: PdfValue | undefined): PdfValue | undefined {
  if (!isArray(value)) return value;
  if (value.length !== 1) throw new PdfError('several filters');
  return value[0];
}

function undoPredictor(data: Buffer, parameters: PdfDictionary): Buffer {
  const { Predictor: predictor = predictors.none, Columns: columns = 1, ...others } = Object.fromEntries(parameters);
  if (predictor === predictors.none) return data;
  const isPng =
    typeof predictor === 'number' && predictor >= predictors.firstOfPng && predictor <= predictors.lastOfPng;
  if (
    !isPng ||
    !isNonNegativeInteger(columns) ||
    columns === 0 ||
    columns > widestRow ||
    Object.keys(others).length > 0
  )
    throw new PdfError('an unknown predictor');
  if (data.length % (columns + 1) !== 0) throw new PdfError('an unfinished row');
  const rows = data.length / (columns + 1);
  const decoded = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const filter = data[row * (columns + 1)];
    if (filter !== rowFilters.none && filter !== rowFilters.up) throw new PdfError('an unknown filter of a row');
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const above = filter === rowFilters.up && row > 0 ? (decoded[at - columns] ?? 0) : 0;
      decoded[at] = (data[row * (columns + 1) + 1 + column] ?? 0) + above;
    }
  }
  return decoded;
}
