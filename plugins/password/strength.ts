/** Strength band of a password, and the percentage of the bar. Bands: specification, section 5.2. */
export type Strength =
  | { readonly percent: 0; readonly band: 'empty' }
  | { readonly percent: 10; readonly band: 'refused' }
  | { readonly percent: 40; readonly band: 'weak' }
  | { readonly percent: 70; readonly band: 'medium' }
  | { readonly percent: 100; readonly band: 'strong' };

/** Minimum length, in characters, if the schema has none. */
export const defaultMinLength = 8;
/** In characters. */
const mediumLength = 9;
/** In characters. */
const strongLength = 16;

/** `refused`: whether a rule of the field rejects the password. */
export function rateStrength(password: string, refused: boolean): Strength {
  const length = countCharacters(password);
  if (length === 0) return { percent: 0, band: 'empty' };
  if (refused) return { percent: 10, band: 'refused' };
  if (length >= strongLength) return { percent: 100, band: 'strong' };
  return length >= mediumLength ? { percent: 70, band: 'medium' } : { percent: 40, band: 'weak' };
}

/** Number of characters missing to `minLength`. Returns 0 for an empty password. */
export function missingCharacters(password: string, minLength: number): number {
  const length = countCharacters(password);
  return length === 0 ? 0 : Math.max(0, minLength - length);
}

/** Counts code points, as JSON Schema does. */
function countCharacters(password: string): number {
  return [...password].length;
}
