const weights = [2, 9, 8, 7, 6, 3, 4];

/**
 * Why a number is no Uruguayan ID, or null when it is one: `separators` for dots, hyphens or blanks, `invalid` for all
 * else. Seven digits and a check digit; shorter numbers count as padded with zeros. Weights: specification, section 5.3.
 */
export function uruguayanIdProblem(number: string): 'separators' | 'invalid' | null {
  if (/[.\-\s]/.test(number)) return 'separators';
  if (!/^[0-9]{1,8}$/.test(number) || /^0+$/.test(number)) return 'invalid';
  const padded = number.padStart(8, '0');
  return checkDigit(padded.slice(0, 7)) === Number(padded[7]) ? null : 'invalid';
}

/** The check digit of the seven digits of a Uruguayan ID: what their weighted sum lacks to a multiple of ten. */
export function checkDigit(digits: string): number {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (10 - (sum % 10)) % 10;
}
