/** A finite number as `digits * 10 ** exponent`, from its shortest decimal form. */
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
export function plainDecimal(value: number): string {
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
