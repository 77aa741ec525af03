import type { ExtraField } from './operation-request.ts';

/** Extra fields as a column holds them. */
export function writeExtra(fields: readonly ExtraField[] = []): string {
  return JSON.stringify(fields);
}

/** The extra fields of a column. */
export function readExtra(column: string): ExtraField[] {
  return JSON.parse(column) as ExtraField[]; // written by writeExtra alone
}
