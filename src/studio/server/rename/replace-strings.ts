import { getNodeValue, parseTree, type Node } from 'jsonc-parser';
import type { Json } from '../../../engine/core/json.ts';

/** String in a JSON file. The path of a key includes the key. */
export interface JsonString {
  readonly path: readonly (string | number)[];
  readonly value: string;
  readonly isKey: boolean;
}

/** Replaces strings in a JSON file and keeps its formatting. `file`: the parsed content. Throws a `SyntaxError` for invalid JSON. */
export function replaceStrings(text: string, replace: (string: JsonString, file: Json) => string): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const tree = parseTree(text.slice(mark));
  if (!tree) throw new SyntaxError('The file is no JSON.');
  const file = getNodeValue(tree) as Json; // the parser returns plain JSON values
  let written = text;
  // Last to first, so that earlier offsets stay valid.
  for (const { node, string } of [...stringsIn(tree, [])].reverse()) {
    const value = replace(string, file);
    if (value === string.value) continue;
    const start = mark + node.offset;
    written = written.slice(0, start) + JSON.stringify(value) + written.slice(start + node.length);
  }
  return written;
}

function* stringsIn(node: Node, path: JsonString['path']): Generator<{ node: Node; string: JsonString }> {
  if (node.type === 'string') yield { node, string: { path, value: String(node.value), isKey: false } };
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type !== 'object') {
      yield* stringsIn(child, [...path, index]);
      continue;
    }
    const [key, value] = child.children ?? [];
    if (!key || !value) continue;
    const inner = [...path, String(key.value)];
    yield { node: key, string: { path: inner, value: String(key.value), isKey: true } };
    yield* stringsIn(value, inner);
  }
}
