/** Reason why a text is not a valid number: not numeric, ambiguous between two conventions, or not exact as a double. */
type NumberFault = 'number' | 'ambiguous' | 'inexact';

type NumberReading =
  { readonly value: number; readonly fault?: never } | { readonly fault: NumberFault; readonly value?: never };

interface Convention {
  readonly decimal: string;
  /** The thousands separator that a user may type: a comma if `decimal` is a point, otherwise a point. */
  readonly other: string;
  readonly group: (digits: bigint) => string;
}

/** Conventions by language. Cached, because creating a formatter takes too long for each keystroke. */
const conventions = new Map<string | undefined, Convention>();

function resolveConvention(language: string | undefined): Convention {
  const known = conventions.get(language);
  if (known) return known;
  const format = new Intl.NumberFormat(language, { numberingSystem: 'latn' });
  const decimal = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  const convention = { decimal, other: decimal === '.' ? ',' : '.', group: (digits: bigint) => format.format(digits) };
  conventions.set(language, convention);
  return convention;
}

/** Maximum length of a number, in characters. A double has at most 309 digits before its decimal mark. */
const maxLength = 400;

const blanks = /[\u0020\u00a0\u2009\u202f]/g;
const malformedReading = { fault: 'number' } as const;
const ambiguousReading = { fault: 'ambiguous' } as const;
const inexactReading = { fault: 'inexact' } as const;

/** Thousands separators must form groups of three: in Spanish, `1.234` is 1234, but `1.5` is one and a half. Rejects exponents and `0x`. */
export function parseLocalizedNumber(typed: string, language: string | undefined, isInteger = false): NumberReading {
  const text = typed.trim();
  if (text.length > maxLength) return inexactReading;
  const [, sign = '', unsigned = ''] = /^([-+\u2212]?)(.*)$/s.exec(text) ?? [];
  const { decimal, other } = resolveConvention(language);
  const digits = removeSeparators(unsigned, decimal, other, isInteger);
  if (typeof digits !== 'string') return digits;
  const value = parseExactNumber(digits);
  if (value === null) return inexactReading;
  return { value: sign === '' || sign === '+' || value === 0 ? value : -value };
}

export function isNumericSchema({ type }: { readonly type?: unknown }): boolean {
  return type === 'number' || type === 'integer';
}

/** Converts typed text to a value. Keeps text that is not a number, so that validation rejects it. */
export function parseNumericInput(
  text: string,
  schema: { readonly type?: unknown },
  language: string,
): string | number {
  return isNumericSchema(schema)
    ? (parseLocalizedNumber(text, language, schema.type === 'integer').value ?? text)
    : text;
}

function removeSeparators(text: string, decimal: string, other: string, isInteger: boolean): string | NumberReading {
  if (!/^[\d.,\u0020\u00a0\u2009\u202f]*$/.test(text) || !/\d/.test(text)) return malformedReading;
  const [whole = '', fraction, ...more] = text.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction)))
    return /[.,]/.test(fraction ?? '') || more.length > 0 ? ambiguousReading : malformedReading;
  // In an integer field, the comma of "1,000" is ambiguous: it may be a decimal mark or a thousands separator.
  if (isInteger && fraction?.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) return ambiguousReading;
  if (/^\d*$/.test(whole)) return joinFraction(whole, fraction);
  const marks = whole.replace(blanks, ' ').replaceAll(other, '.');
  if (/^[1-9]\d{0,2}(?:\.\d{3})+$/.test(marks) || /^[1-9]\d{0,2}(?: \d{3})+$/.test(marks))
    return joinFraction(marks.replace(/[. ]/g, ''), fraction);
  if (fraction === undefined && isLoneDecimal(marks)) return marks;
  return /^[\d.]*$/.test(marks) ? ambiguousReading : malformedReading;
}

// Whether the only separator of a text cannot separate thousands, as in `19.5`. It is then a decimal mark, even if the language uses the other one.
function isLoneDecimal(text: string): boolean {
  return /^\d*\.(?:\d{0,2}|\d{4,})$/.test(text) || /^0?\.\d{3}$/.test(text);
}

function joinFraction(whole: string, fraction: string | undefined): string {
  return fraction === undefined || fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Parses plain digits with a decimal point, without exponent or separators. Returns `null` if a double cannot represent them exactly. */
export function parseExactNumber(text: string): number | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole + fraction === '') return null;
  const value = Number(`${whole}.${fraction}`);
  if (!isExactNumber(value)) return null;
  const decimals = fraction.replace(/0+$/, '');
  const canonical = `${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`;
  if (formatDecimal(value) !== canonical) return null;
  return sign === '' || value === 0 ? value : -value;
}

/** Whether a double represents exactly one number. Beyond 2^53, neighbouring integers share a double. */
export function isExactNumber(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** Formats a number for a language, with all digits and no exponent. `grouped` adds thousands separators. */
export function formatNumber(value: number, language: string | undefined, { grouped = false } = {}): string {
  if (!Number.isFinite(value)) return String(value);
  const { decimal, group } = resolveConvention(language);
  const [whole = '', fraction] = formatDecimal(Math.abs(value)).split('.');
  const formatted = `${grouped ? group(BigInt(whole)) : whole}${fraction === undefined ? '' : decimal + fraction}`;
  return value < 0 ? `-${formatted}` : formatted;
}

export function findNumberFault(
  { type }: { readonly type?: unknown },
  value: unknown,
  language: string | undefined,
): NumberFault | 'integer' | null {
  if (!isNumericSchema({ type })) return null;
  if (typeof value === 'number') {
    if (!isExactNumber(value)) return 'inexact';
    return type === 'integer' && !Number.isInteger(value) ? 'integer' : null;
  }
  return typeof value === 'string' ? (parseLocalizedNumber(value, language, type === 'integer').fault ?? null) : null;
}

/** A finite number: `digits` times 10 to the power of `exponent`, as in the shortest decimal form of the number. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Formats a finite number in its shortest decimal form, without an exponent: `0.0000001`, not `1e-7`. */
export function formatDecimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const { digits, exponent } = toDecimal(value);
  if (exponent >= 0) return String(digits * 10n ** BigInt(exponent));
  const unsigned = String(digits < 0n ? -digits : digits).padStart(1 - exponent, '0');
  return `${digits < 0n ? '-' : ''}${unsigned.slice(0, exponent)}.${unsigned.slice(exponent)}`;
}

/** Whether a number is a multiple of another in decimal arithmetic. With doubles, 19.99 would not be a multiple of 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [a, b] = [toDecimal(value), toDecimal(divisor)];
  const scale = Math.min(a.exponent, b.exponent);
  return (a.digits * 10n ** BigInt(a.exponent - scale)) % (b.digits * 10n ** BigInt(b.exponent - scale)) === 0n;
}
