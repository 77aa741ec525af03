import { getNodeValue, parseTree, type Node } from 'jsonc-parser';
import type { Json } from '../../../engine/core/json.ts';

/** A string of a JSON file, and where it stands: the path of a key ends with it. */
export interface JsonString {
  readonly path: readonly (string | number)[];
  readonly value: string;
  readonly isKey: boolean;
}

/** The text of a JSON file in which some strings are others; all else stays to the letter. `file`: what it holds. Throws for what is no JSON. */
export function replaceStrings(text: string, replace: (string: JsonString, file: Json) => string): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const tree = parseTree(text.slice(mark));
  if (!tree) throw new SyntaxError('The file is no JSON.');
  const file = getNodeValue(tree) as Json; // the parser answers plain JSON values
  let written = text;
  // From the last to the first, so that the places of those before stay.
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
