import type { Json } from '../../../engine/core/json.ts';
import type { FileChange, StudioDefinitions } from '../../studio-api-types.ts';
import { buildFileChanges, readFileList } from '../definition-set.ts';

/** A reorderable list of the definitions. `change` receives the keys of all items in their new order. */
export interface ReorderableList {
  readonly name: string;
  readonly items: readonly { readonly key: string; readonly label: string }[];
  readonly change: (keys: readonly string[]) => readonly FileChange[];
}

export function createReorderChanges(
  set: StudioDefinitions,
  file: string,
  pointer: string,
  keys: readonly string[],
): readonly FileChange[] {
  const list = readFileList(set, file, pointer);
  return list.length === keys.length
    ? buildFileChanges(set, file, [{ pointer, value: reorderByKeys(list, keys) }])
    : [];
}

export function reorderByKeys(list: readonly Json[], keys: readonly string[]): readonly Json[] {
  return keys.map((key) => list[Number(key)] ?? null);
}
