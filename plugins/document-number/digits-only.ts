import { isNationalDocument } from '../../src/contract/document.ts';

/** Whether only digits can be right in the number of a document of this country and type. */
export function digitsOnly(country: unknown, type: unknown): boolean {
  return isNationalDocument(country, type);
}
