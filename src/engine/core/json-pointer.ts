import type { Json } from './json.ts';

/** Escapes a segment of a JSON pointer (RFC 6901). */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function splitPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function findByPointer(value: Json | undefined, pointer: string): Json | undefined {
  return splitPointer(pointer).reduce<Json | undefined>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as { readonly [name: string]: Json })[key];
  }, value);
}

export function* walkJson(value: Json, pointer = ''): Generator<readonly [pointer: string, part: Json]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  // cast: `Object.entries` returns `any`, but values inside JSON are JSON
  for (const [key, part] of Object.entries(value)) yield* walkJson(part as Json, `${pointer}/${escapePointer(key)}`);
}
