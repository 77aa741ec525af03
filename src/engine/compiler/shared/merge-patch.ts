import { isObject, type Json } from '../../core/json.ts';

/** JSON Merge Patch (RFC 7396): objects merge, null removes, everything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(target) ? { ...(target as Record<string, Json>) } : {};
  for (const [key, part] of Object.entries(patch) as [string, Json][]) {
    if (part === null) delete merged[key];
    else merged[key] = mergePatch(merged[key] ?? null, part);
  }
  return merged;
}
