const weights = [2, 9, 8, 7, 6, 3, 4];

/** Returns why a Uruguayan ID is invalid, or `null`. Pads it with zeros to eight digits. Section 5.3 of the specification defines the check digit. */
export function findUruguayanIdProblem(number: string): 'separators' | 'invalid' | null {
  if (/[.\-\s]/.test(number)) return 'separators';
  if (!/^[0-9]{1,8}$/.test(number) || /^0+$/.test(number)) return 'invalid';
  const padded = number.padStart(8, '0');
  return computeCheckDigit(padded.slice(0, 7)) === Number(padded[7]) ? null : 'invalid';
}

/** Computes the check digit for the first seven digits of a Uruguayan ID: the difference of their weighted sum to the next multiple of ten. */
export function computeCheckDigit(digits: string): number {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (10 - (sum % 10)) % 10;
}
