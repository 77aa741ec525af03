import { inflateSync } from 'node:zlib';

/** Error for PDF syntax or structure that the reader does not accept. */
export class PdfError extends Error {}

/** A decoded name object, without its slash. */
export class PdfName {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A string object. `start` and `end` are its offsets in the source text, including the delimiters. */
export class PdfString {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }
}

export class PdfReference {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
}

export type PdfDictionary = ReadonlyMap<string, PdfValue>;

export class PdfStream {
  readonly dictionary: PdfDictionary;
  readonly bytes: Buffer;
  constructor(dictionary: PdfDictionary, bytes: Buffer) {
    this.dictionary = dictionary;
    this.bytes = bytes;
  }
}

export type PdfValue =
  null | boolean | number | PdfName | PdfString | PdfReference | PdfStream | PdfDictionary | readonly PdfValue[];

/** Whether a value is a dictionary. A stream is no dictionary, although it contains one. */
export function isPdfDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

export function isPdfArray(value: PdfValue | undefined): value is readonly PdfValue[] {
  return Array.isArray(value);
}

export function isPdfName(value: PdfValue | undefined, name: string): boolean {
  return value instanceof PdfName && value.value === name;
}

export function isNonNegativeInteger(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Compares two values deeply: numbers by value, strings by bytes, dictionaries in any order of keys. */
export function isSamePdfValue(one: PdfValue | undefined, other: PdfValue | undefined): boolean {
  if (one instanceof PdfName) return other instanceof PdfName && one.value === other.value;
  if (one instanceof PdfString) return other instanceof PdfString && one.bytes.equals(other.bytes);
  if (one instanceof PdfReference) return other instanceof PdfReference && one.id === other.id;
  if (isPdfArray(one))
    return isPdfArray(other) && one.length === other.length && one.every((item, at) => isSamePdfValue(item, other[at]));
  if (isPdfDictionary(one))
    return (
      isPdfDictionary(other) &&
      one.size === other.size &&
      [...one].every(([key, value]) => isSamePdfValue(value, other.get(key)))
    );
  return one === other;
}

const maxDepth = 24;
/** Maximum number of parsed values, keys and special characters in strings. It allows for fonts, each of which has a few thousand widths. */
const maxSteps = 200_000;
/** White space except NUL and form feed, which some PDF readers do not skip. */
const spacePattern = /[\t\n\r ]*/y;
const delimiter = '(?![^\\0\\t\\n\\f\\r ()<>[\\]{}/%])';
const patterns = {
  reference: new RegExp(`(\\d{1,7})[\\t\\n\\r ]+0[\\t\\n\\r ]+R${delimiter}`, 'y'),
  number: new RegExp(`[+-]?(?:\\d{1,10}(?:\\.\\d{0,10})?|\\.\\d{1,10})${delimiter}`, 'y'),
  keyword: new RegExp(`(?:true|false|null)${delimiter}`, 'y'),
  name: /\/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})/y,
  hexString: /<([0-9A-Fa-f\t\n\r ]*)>/y,
} as const;
const keywords: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/**
 * Parses PDF objects (ISO 32000-1, section 7.3) from text with one character per byte. The parser is stricter than PDF viewers, so that every
 * viewer reads the same objects as the parser: no comments inside objects, no duplicate keys, only generation 0, and no unnecessary escapes in
 * names. Each method throws a `PdfError`.
 */
export class PdfReader {
  readonly text: string;
  position: number;
  private steps = 0;

  constructor(text: string, at = 0) {
    this.text = text;
    this.position = at;
  }

  /** Consumes a match of the sticky `pattern` at the current position. Returns `null` if there is none. */
  consumeMatch(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found !== null) this.position += found[0].length;
    return found;
  }

  consumeRequiredMatch(pattern: RegExp): RegExpExecArray {
    const found = this.consumeMatch(pattern);
    if (found === null) throw new PdfError(`expected ${pattern.source} at offset ${this.position}`);
    return found;
  }

  skipSpace(): void {
    this.consumeMatch(spacePattern);
  }

  readValue(depth = 0): PdfValue {
    if (depth > maxDepth) throw new PdfError('values are nested too deeply');
    this.countStep();
    this.skipSpace();
    const next = this.text[this.position];
    if (next === '/') return new PdfName(this.readName());
    if (next === '(') return this.readLiteralString();
    if (next === '[') return this.readArray(depth);
    if (next === '<') return this.text[this.position + 1] === '<' ? this.readDictionary(depth) : this.readHexString();
    const reference = this.consumeMatch(patterns.reference);
    if (reference !== null) return new PdfReference(Number(reference[1]));
    const number = this.consumeMatch(patterns.number);
    if (number !== null) return Number(number[0]);
    return keywords[this.consumeRequiredMatch(patterns.keyword)[0]] ?? null;
  }

  readDictionary(depth = 0): PdfDictionary {
    this.skipSpace();
    this.consumeRequiredMatch(/<</y);
    const dictionary = new Map<string, PdfValue>();
    for (;;) {
      this.skipSpace();
      if (this.consumeMatch(/>>/y) !== null) return dictionary;
      const key = this.readName();
      if (dictionary.has(key)) throw new PdfError(`a dictionary has the key ${key} twice`);
      dictionary.set(key, this.readValue(depth + 1));
    }
  }

  private countStep(): void {
    this.steps += 1;
    if (this.steps > maxSteps) throw new PdfError('too many values');
  }

  private readArray(depth: number): readonly PdfValue[] {
    this.position += 1;
    const items: PdfValue[] = [];
    for (;;) {
      this.skipSpace();
      if (this.consumeMatch(/\]/y) !== null) return items;
      items.push(this.readValue(depth + 1));
    }
  }

  private readName(): string {
    const [, raw = ''] = this.consumeRequiredMatch(patterns.name);
    return raw.replace(/#(.{0,2})/g, (_, hex: string) => {
      const character = /^[0-9A-Fa-f]{2}$/.test(hex) ? String.fromCharCode(parseInt(hex, 16)) : '';
      if (character === '' || /[\0A-Za-z0-9]/.test(character))
        throw new PdfError(`a name has the escape #${hex}, which is not allowed`);
      return character;
    });
  }

  private readHexString(): PdfString {
    const start = this.position;
    const digits = (this.consumeRequiredMatch(patterns.hexString)[1] ?? '').replace(/[\t\n\r ]/g, '');
    return new PdfString(Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex'), start, this.position);
  }

  private readLiteralString(): PdfString {
    const start = this.position;
    const parts: string[] = [];
    let open = 0;
    for (;;) {
      this.countStep();
      const [run = '', special = ''] = this.consumeRequiredMatch(/[^()\\\r]*([()\\\r]\n?)/y).slice(0, 2);
      const mark = special[0] ?? '';
      if (mark !== '\r') this.position -= special.length - 1; // a line feed is part of the line break only after a carriage return
      parts.push(run.slice(0, run.length - special.length));
      if (mark === '\\') parts.push(this.readEscape());
      else if (mark === '\r') parts.push('\n');
      else {
        open += mark === '(' ? 1 : -1;
        if (open === 0) break;
        if (mark === ')' || open > 1) parts.push(mark);
      }
    }
    return new PdfString(Buffer.from(parts.join(''), 'latin1'), start, this.position);
  }

  private readEscape(): string {
    const octal = this.consumeMatch(/[0-7]{1,3}/y);
    if (octal !== null) return String.fromCharCode(parseInt(octal[0], 8) & 0xff);
    if (this.consumeMatch(/\r\n?|\n/y) !== null) return '';
    const [character] = this.consumeRequiredMatch(/[^]/y);
    return escapes[character] ?? character;
  }
}

/** Maximum size of a decoded cross-reference or object stream, in bytes. Signing programs write a few kilobytes. */
const maxStreamBytes = 1024 * 1024;
/** Maximum size of a row of a cross-reference stream, in bytes. */
const maxRowBytes = 64;
const predictors = { none: 1, firstOfPng: 10, lastOfPng: 15 } as const;
const rowFilters = { none: 0, up: 2 } as const;

/**
 * Decodes a cross-reference or object stream. The stream must be unfiltered, or use FlateDecode without a predictor or with PNG's None or Up.
 * Otherwise, throws a `PdfError`.
 */
export function decodePdfStream({ dictionary, bytes }: PdfStream): Buffer {
  const filter = unwrapSingle(dictionary.get('Filter'));
  if (filter === undefined) return bytes;
  if (!isPdfName(filter, 'FlateDecode')) throw new PdfError('a stream has an unsupported filter');
  const parameters = unwrapSingle(dictionary.get('DecodeParms')) ?? new Map();
  if (!isPdfDictionary(parameters)) throw new PdfError('DecodeParms is not a dictionary');
  try {
    return undoPredictor(inflateSync(bytes, { maxOutputLength: maxStreamBytes }), parameters);
  } catch (cause) {
    throw cause instanceof PdfError ? cause : new PdfError('a stream cannot be inflated', { cause });
  }
}

function unwrapSingle(value: PdfValue | undefined): PdfValue | undefined {
  if (!isPdfArray(value)) return value;
  if (value.length !== 1) throw new PdfError('a stream has several filters');
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
    columns > maxRowBytes ||
    Object.keys(others).length > 0
  )
    throw new PdfError('a stream has an unsupported predictor');
  if (data.length % (columns + 1) !== 0) throw new PdfError('the last row of a stream is incomplete');
  const rows = data.length / (columns + 1);
  const decoded = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const filter = data[row * (columns + 1)];
    if (filter !== rowFilters.none && filter !== rowFilters.up) throw new PdfError('a row has an unsupported filter');
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const above = filter === rowFilters.up && row > 0 ? (decoded[at - columns] ?? 0) : 0;
      decoded[at] = (data[row * (columns + 1) + 1 + column] ?? 0) + above;
    }
  }
  return decoded;
}
