import type { ScreenNotice, ScreenUi } from '../../core/flow-and-screen-types.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { splitFieldName } from '../../core/field-path.ts';
import type { FieldPreset } from './read-shared-definitions.ts';

export function addSharedNotices(
  ui: ScreenUi,
  shared: Readonly<Record<string, ScreenNotice>>,
  raised: ReadonlySet<string>,
): ScreenUi {
  const taken = Object.entries(shared).filter(([name]) => raised.has(name));
  return taken.length === 0 ? ui : { ...ui, notices: { ...Object.fromEntries(taken), ...ui.notices } };
}

export function mergeUiOverPresets(
  ui: ScreenUi,
  references: ReadonlyMap<string, readonly string[]>,
  presets: ReadonlyMap<string, FieldPreset>,
): ScreenUi {
  const brought = [...references].flatMap(([field, addresses]) =>
    addresses.flatMap((address) => {
      const preset = presets.get(address);
      return preset ? [{ field, ...preset }] : [];
    }),
  );
  const under = (part: 'ui' | 'messages') =>
    brought.reduce<Json>(
      (all, { field, [part]: own }) => (own ? mergePatch(all, at(field, part, own as Json)) : all),
      {},
    );
  // Nests the ui of `a.b` below its parent `a`. Messages are keyed by the full name of the field.
  const at = (field: string, part: 'ui' | 'messages', own: Json): Json =>
    part === 'messages'
      ? { [field]: own }
      : splitFieldName(field).reduceRight<Json>((inner, step) => ({ [step]: inner }), own);
  const above = (part: 'fields' | 'messages', below: Json) =>
    Object.keys(below as object).length > 0 ? { [part]: mergePatch(below, (ui[part] ?? {}) as Json) } : {};
  return { ...ui, ...above('fields', under('ui')), ...above('messages', under('messages')) };
}

export function copyMatrixColumnTexts(ui: ScreenUi): ScreenUi {
  const fields = ui.fields ?? {};
  const matrices = Object.entries(fields).filter(
    ([, own]) => isObject(own) && own['ui:widget'] === 'matrix' && own['ui:enumNames'] !== undefined,
  );
  const rows = matrices.map(([name, own]) => [name, copyTextsToRows(own as JsonObject)] as const);
  return rows.length === 0
    ? ui
    : { ...ui, fields: { ...fields, ...Object.fromEntries(rows) } as NonNullable<ScreenUi['fields']> };
}

function copyTextsToRows({ 'ui:enumNames': columns = null, ...matrix }: JsonObject): JsonObject {
  const rows = Object.entries(matrix).filter(([name, row]) => !name.startsWith('ui:') && isObject(row));
  const named = rows.map(([name, row]) => [name, { 'ui:enumNames': columns, ...(row as JsonObject) }]);
  return { ...matrix, ...Object.fromEntries(named) };
}

/** Applies a JSON Merge Patch (RFC 7396): merges objects, removes members that are null, and replaces other values. */
function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(target) ? { ...(target as Record<string, Json>) } : {};
  for (const [key, part] of Object.entries(patch) as [string, Json][]) {
    if (part === null) delete merged[key];
    else merged[key] = mergePatch(merged[key] ?? null, part);
  }
  return merged;
}
