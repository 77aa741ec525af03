import { findNodeAtLocation, parseTree, type JSONPath, type Node } from 'jsonc-parser';

/** Creates a generator of pseudo-random numbers from 0 to 1 (mulberry32). The same seed gives the same numbers. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A broken file: its new content, and a description of the change. The content is `null` if the file was deleted. */
export interface BrokenFile {
  readonly content: string | Uint8Array | null;
  readonly how: string;
}

type Random = () => number;

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)];
const nestArrays = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth);
const nestRules = (depth: number, inner: string) => '{"!":'.repeat(depth) + inner + '}'.repeat(depth);

/** Functions that replace the JSON text of a value. */
const values: readonly ((text: string) => string)[] = [
  () => 'null',
  () => 'true',
  () => '0',
  () => '-1',
  () => '1e308',
  () => '1e400',
  () => '1e-400',
  () => '0.1',
  () => '""',
  () => '" "',
  () => '[]',
  () => '{}',
  () => '[[]]',
  () => '[null]',
  () => '{"":{}}',
  () => '"constructor"',
  () => '"__proto__"',
  () => '"*"',
  () => '"{x}"',
  () => '"\\u0000"',
  () => '"\\ud800"',
  () => '"("',
  () => '"ñandú"',
  () => '"/"',
  () => '"a/b~1c"',
  () => '"javascript:alert(1)"',
  () => '"require(\\"fs\\")"',
  () => '"history"',
  () => '{"var":""}',
  () => '{"var":"__proto__.x"}',
  () => '{"var":{"var":"form"}}',
  () => '{"some":[[1],{"nothing":1}]}',
  () => '{"log":1}',
  () => '{"missing":{}}',
  () => '{"reduce":[]}',
  () => '{"$ref":"#"}',
  () => '{"$ref":"../_shared/person.json#email"}',
  () => '{"constructor":1}',
  (text) => `[${text}]`,
  (text) => `{"a":${text}}`,
  (text) => `[${text},${text}]`,
  (text) => nestArrays(90, text),
  (text) => nestRules(30, text),
  (text) => nestArrays(3_000, text),
];

/** Functions that break an entire file. */
const files: readonly ((text: string, random: Random) => string | Uint8Array | null)[] = [
  () => null,
  () => '',
  () => 'null',
  () => '[]',
  () => '"x"',
  () => '{}',
  (text, random) => text.slice(0, Math.floor(random() * text.length)),
  (text, random) => {
    const bytes = Buffer.from(text);
    bytes[Math.floor(random() * bytes.length)] = 0xc3 + Math.floor(random() * 40);
    return bytes;
  },
  (text) => Buffer.from(text, 'utf16le'),
  (text) => `\uFEFF${text}`,
  (text) => `${text}${text}`,
  () => '{"a":'.repeat(3_000),
];

/** Breaks a JSON file, usually at one value, sometimes the entire text. */
export function breakFile(text: string, random: Random): BrokenFile {
  const tree = parseTree(text);
  const places = tree ? nodesOf(tree) : [];
  const place = pick(places, random);
  if (!place || random() < 0.12) {
    const index = Math.floor(random() * files.length);
    return { content: files[index]?.(text, random) ?? null, how: `whole file, way ${index}` };
  }
  const { node, path } = place;
  const at = `/${path.join('/')}`;
  const splice = (from: { offset: number; length: number }, by: string) =>
    text.slice(0, from.offset) + by + text.slice(from.offset + from.length);
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  const kind = random();
  if (key && kind < 0.15) {
    const name =
      pick(
        [
          `${String(key.value)}x`,
          'constructor',
          '__proto__',
          'toString',
          '',
          'año',
          '$ref',
          String(key.value).toUpperCase(),
        ],
        random,
      ) ?? '';
    return { content: splice(key, JSON.stringify(name)), how: `${at} is renamed ${JSON.stringify(name)}` };
  }
  if (kind < 0.35 && node.parent) {
    const gone = node.parent.type === 'property' ? node.parent : node;
    const before = text.slice(0, gone.offset).replace(/,\s*$/, '');
    const after = text.slice(gone.offset + gone.length);
    return {
      content:
        before.length < gone.offset && /,\s*$/.test(text.slice(0, gone.offset))
          ? before + after
          : text.slice(0, gone.offset) + after.replace(/^\s*,/, ''),
      how: `${at} is gone`,
    };
  }
  if (kind < 0.5) {
    const other = pick(places, random);
    const by = other ? text.slice(other.node.offset, other.node.offset + other.node.length) : 'null';
    return { content: splice(node, by), how: `${at} is what stands at /${other?.path.join('/') ?? ''}` };
  }
  const by = pick(values, random)?.(text.slice(node.offset, node.offset + node.length)) ?? 'null';
  return { content: splice(node, by), how: `${at} is ${by.slice(0, 60)}` };
}

function nodesOf(tree: Node): readonly { node: Node; path: JSONPath }[] {
  const found: { node: Node; path: JSONPath }[] = [];
  const visit = (path: JSONPath): void => {
    const node = findNodeAtLocation(tree, path);
    if (!node) return;
    found.push({ node, path });
    if (node.type === 'array') node.children?.forEach((_, index) => visit([...path, index]));
    if (node.type === 'object')
      for (const { children } of node.children ?? []) visit([...path, String(children?.[0]?.value)]);
  };
  visit([]);
  return found;
}
