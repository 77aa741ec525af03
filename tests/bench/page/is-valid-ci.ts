/** Validates a check digit as a hand-written form would, with the weights 2987634 for the first seven digits. */
export function isValidCi(text: string): boolean {
  if (!/^\d{7,8}$/.test(text)) return false;
  const digits = text.padStart(8, '0');
  const sum = [2, 9, 8, 7, 6, 3, 4].reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (10 - (sum % 10)) % 10 === Number(digits[7]);
}
