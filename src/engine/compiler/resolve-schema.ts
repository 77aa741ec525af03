import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { escapePointer, pointerSteps, type Problems, type SourceFile } from './source-file.ts';

/**
 * Replaces every `$ref` of a screen's schema by what it names, in the file itself (`#/$defs/x`) or in schemas/_shared
 * (`../_shared/person.json#/$defs/email`). Keywords beside a `$ref` win over the referenced ones.
 */
export function resolveSchema(file: SourceFile, shared: ReadonlyMap<string, SourceFile>, problems: Problems): JsonObject {
  const resolve = (node: Json, from: SourceFile, pointer: string, trail: readonly string[]): Json => {
    if (Array.isArray(node)) return node.map((item, index) => resolve(item, from, `${pointer}/${index}`, trail));
    if (!isObject(node)) return node;
    const { $ref: reference, ...rest } = node as Record<string, Json>;
    const own = Object.fromEntries(
      Object.entries(rest).map(([key, part]) => [key, resolve(part, from, `${pointer}/${escapePointer(key)}`, trail)]),
    );
    if (typeof reference !== 'string') return own;
    const at = `${pointer}/$ref`;
    const found = lookUp(reference, from);
    if (!found) {
      problems.add(from, at, `"${reference}" names nothing.`, 'Name a file of schemas/_shared and a definition in its $defs.');
      return own;
    }
    const address = `${found.file.path}#${found.pointer}`;
    if (trail.includes(address)) {
      problems.add(from, at, `"${reference}" refers to itself.`, 'A form cannot be endless: break the circle.');
      return own;
    }
    const target = resolve(found.value, found.file, found.pointer, [...trail, address]);
    return isObject(target) ? { ...(target as JsonObject), ...own } : own;
  };

  const lookUp = (reference: string, from: SourceFile): { file: SourceFile; pointer: string; value: Json } | null => {
    const [path = '', pointer = ''] = reference.split('#');
    const file = path === '' ? from : shared.get(path.replace(/^(\.\.\/_shared\/|\.\/)/, ''));
    let value: Json | undefined = file?.value;
    for (const step of pointerSteps(pointer)) {
      value = isObject(value) && Object.hasOwn(value, step) ? (value as Record<string, Json>)[step] : undefined;
    }
    return file && value !== undefined ? { file, pointer, value } : null;
  };

  const resolved = resolve(file.value, file, '', []);
  return isObject(resolved) ? (resolved as JsonObject) : {};
}
