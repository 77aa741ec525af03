import { getNodeValue, parseTree, type Node } from 'jsonc-parser';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { Json } from '../../../engine/core/json.ts';
import { asObject } from '../../json-parts.ts';

export type Path = readonly (string | number)[];

/** String in a JSON file. The path of a key includes the key. */
export interface JsonString {
  readonly path: Path;
  readonly value: string;
  readonly isKey: boolean;
}

export type Replace = (string: JsonString) => string;

/** Replaces strings in a JSON file and keeps its formatting. `start` receives the parsed content. Throws a `SyntaxError` for invalid JSON. */
export function replaceStrings(text: string, start: (file: Json) => Replace): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const tree = parseTree(text.slice(mark));
  if (!tree) throw new SyntaxError('The file is no JSON.');
  const replace = start(getNodeValue(tree) as Json); // the parser returns plain JSON values
  let written = text;
  // Last to first, so that earlier offsets stay valid.
  for (const { node, string } of [...stringsIn(tree, [])].reverse()) {
    const value = replace(string);
    if (value === string.value) continue;
    const at = mark + node.offset;
    written = written.slice(0, at) + JSON.stringify(value) + written.slice(at + node.length);
  }
  return written;
}

function* stringsIn(node: Node, path: Path): Generator<{ node: Node; string: JsonString }> {
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

export function formatPointer(path: Path): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join('');
}

export function statesAround(flow: Json, inner: ReadonlySet<string>): ReadonlySet<string> {
  const around = new Set<string>();
  const visit = (node: Json): boolean => {
    const holding = Object.entries(asObject(asObject(node)['states'])).filter(([name, state]) => {
      const holds = visit(state);
      return holds || inner.has(name);
    });
    for (const [name] of holding) around.add(name);
    return holding.length > 0;
  };
  visit(flow);
  return around;
}

export function findState(path: Path): string | null {
  let state: string | null = null;
  for (let at = 0; path[at] === 'states' && at + 1 < path.length; at += 2) state = String(path[at + 1]);
  return state;
}

export function isStateKey({ path, isKey }: JsonString): boolean {
  return isKey && path.length % 2 === 0 && path.every((step, at) => at % 2 === 1 || step === 'states');
}

// Targets of a transition: its own, those of its branches, and those of an operation's outcomes. The name of shared branches is not a target.
const targets = String.raw`(?:/(?:\d+|target|onDone|onError|branches(?=/)))*`;
const transition = `(?:always|invoke|(?:on|after)/[^/]+)${targets}`;
const references = [
  '/initial',
  '/challenges/[^/]+',
  String.raw`/progress(?:/[^/]+)*/\d+(?:/state)?`,
  `/onError${targets}`,
  `/(?:branches|operations)/[^/]+${targets}`,
  `(?:/states/[^/]+)+/(?:requires/else|back|${transition})`,
];
const reference = new RegExp(`^(?:${references.join('|')})$`);

export function isReference({ path, isKey }: JsonString): boolean {
  return !isKey && reference.test(formatPointer(path));
}
