/** Thrown by the PDF reader for syntax or structure that it does not accept; the message says which. */
export class PdfError extends Error {}

/** A name object, decoded, without its slash. */
export class PdfName {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A string object. `start` and `end` are the offsets of its delimiters in the text that it was read from. */
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

/** Whether a value is a dictionary; a stream is none. */
export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

/** Whether a value is an array. */
export function isArray(value: PdfValue | undefined): value is readonly PdfValue[] {
  return Array.isArray(value);
}

/** Whether a value is the name `name`. */
export function isName(value: PdfValue | undefined, name: string): boolean {
  return value instanceof PdfName && value.value === name;
}

/** Whether a value is a whole number from 0. */
export function isCount(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Whether two values are the same: numbers by value, strings by bytes, dictionaries in any order of keys. */
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
