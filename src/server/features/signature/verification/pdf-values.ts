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

/** An indirect reference of generation 0. */
export class PdfReference {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
}

export type PdfDictionary = ReadonlyMap<string, PdfValue>;

/** A stream object with its encoded bytes. */
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

/** Whether a value is a dictionary. A stream is not one. */
export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

export function isArray(value: PdfValue | undefined): value is readonly PdfValue[] {
  return Array.isArray(value);
}

export function isName(value: PdfValue | undefined, name: string): boolean {
  return value instanceof PdfName && value.value === name;
}

/** Whether a value is a non-negative integer. */
export function isCount(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Compares two values deeply: numbers by value, strings by bytes, dictionaries in any order of keys. */
export function isSameValue(one: PdfValue | undefined, other: PdfValue | undefined): boolean {
  if (one instanceof PdfName) return other instanceof PdfName && one.value === other.value;
  if (one instanceof PdfString) return other instanceof PdfString && one.bytes.equals(other.bytes);
  if (one instanceof PdfReference) return other instanceof PdfReference && one.id === other.id;
  if (isArray(one))
    return isArray(other) && one.length === other.length && one.every((item, at) => isSameValue(item, other[at]));
  if (isDictionary(one))
    return (
      isDictionary(other) &&
      one.size === other.size &&
      [...one].every(([key, value]) => isSameValue(value, other.get(key)))
    );
  return one === other;
}
