import type { Ui } from '../../core/definition.ts';
import { isObject, type JsonObject } from '../../core/json.ts';

/** Copies the column texts of a matrix to each of its rows. */
export function withColumns(ui: Ui): Ui {
  const fields = (ui.fields ?? {}) as JsonObject; // ui.json was validated against its format
  const matrices = Object.entries(fields).filter(([, own]) => isMatrix(own));
  const rows = matrices.map(([name, own]) => [name, withTextsInRows(own as JsonObject)] as const);
  return rows.length === 0
    ? ui
    : { ...ui, fields: { ...fields, ...Object.fromEntries(rows) } as NonNullable<Ui['fields']> };
}

function isMatrix(own: unknown): boolean {
  return isObject(own) && own['ui:widget'] === 'matrix' && own['ui:enumNames'] !== undefined;
}

function withTextsInRows({ 'ui:enumNames': columns = null, ...matrix }: JsonObject): JsonObject {
  const rows = Object.entries(matrix).filter(([name, row]) => !name.startsWith('ui:') && isObject(row));
  const named = rows.map(([name, row]) => [name, { 'ui:enumNames': columns, ...(row as JsonObject) }]);
  return { ...matrix, ...(Object.fromEntries(named) as JsonObject) };
}
