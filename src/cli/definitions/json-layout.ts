import { isObject, type Json } from '../../engine/core/json.ts';

/** Widest line that a value is written on. */
export const lineWidth = 120;

/** A value on one line, as the project writes short objects and lists. */
export function inlineJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => inlineJson(item)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value as Record<string, Json>).map(
    ([key, own]) => `${JSON.stringify(key)}: ${inlineJson(own)}`,
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** A value on one line where it fits beside `taken` other signs, else with each of its parts on a line below `indent`. */
export function layOutJson(value: Json, indent: string, taken: number): string {
  const inline = inlineJson(value);
  if (taken + inline.length <= lineWidth || typeof value !== 'object' || value === null) return inline;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item: Json) => inner + layOutJson(item, inner, inner.length + 1))
    : Object.entries(value as Record<string, Json>).map(([key, own]) => {
        const start = `${inner}${JSON.stringify(key)}: `;
        return start + layOutJson(own, inner, start.length + 1);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open ?? ''}\n${lines.join(',\n')}\n${indent}${close ?? ''}`;
}

/** A whole file. */
export function jsonFile(value: Json): string {
  return `${layOutJson(value, '', 0)}\n`;
}
