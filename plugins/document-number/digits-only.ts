import { isNationalDocument } from '../../src/contract/document.ts';

/** Whether the number of a document of this country and type consists only of digits. */
export function digitsOnly(country: unknown, type: unknown): boolean {
  return isNationalDocument(country, type);
}
