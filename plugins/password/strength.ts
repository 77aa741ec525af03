/** How strong a password is said to be, and how far its bar is filled. Bands: specification, section 5.2. */
export type Strength =
  | { readonly percent: 0; readonly band: 'empty' }
  | { readonly percent: 10; readonly band: 'refused' }
  | { readonly percent: 40; readonly band: 'weak' }
  | { readonly percent: 70; readonly band: 'medium' }
  | { readonly percent: 100; readonly band: 'strong' };

/** The shortest password, in characters, where the schema names no other. */
export const defaultMinLength = 8;
/** From here on a password is medium, in characters. */
const mediumLength = 9;
/** From here on a password is strong, in characters. */
const strongLength = 16;

/** The strength of what was typed; `refused` tells whether the field's rules refuse it. */
export function strengthOf(password: string, refused: boolean): Strength {
  const length = lengthOf(password);
  if (length === 0) return { percent: 0, band: 'empty' };
  if (refused) return { percent: 10, band: 'refused' };
  if (length >= strongLength) return { percent: 100, band: 'strong' };
  return length >= mediumLength ? { percent: 70, band: 'medium' } : { percent: 40, band: 'weak' };
}

/** How many characters a started password lacks to `minLength`. */
export function missingCharacters(password: string, minLength: number): number {
  const length = lengthOf(password);
  return length === 0 ? 0 : Math.max(0, minLength - length);
}

/** Characters as JSON Schema counts them: code points. */
function lengthOf(password: string): number {
  return [...password].length;
}
