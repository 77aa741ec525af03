import type { ExtraField } from './operation-request.ts';

export function writeExtra(fields: readonly ExtraField[] = []): string {
  return JSON.stringify(fields);
}

export function readExtra(column: string): ExtraField[] {
  return JSON.parse(column) as ExtraField[]; // only writeExtra writes the column
}
