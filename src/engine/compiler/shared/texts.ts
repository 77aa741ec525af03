import { escapePointer, valueAt } from '../../core/json-pointer.ts';
import { isObject, type Json } from '../../core/json.ts';

/** A text of a file, and where it stands: `pointer` in the file itself, `address` in its translations. */
export interface TextPlace {
  readonly pointer: string;
  readonly address: string;
  readonly text: string;
}

/**
 * The texts of a file in the shape of its translation: a text, texts by key, or texts in order. `others`: the keys of the same object that hold no
 * text.
 */
export type TextTree =
  | Pick<TextPlace, 'pointer' | 'text'>
  | { readonly keys: ReadonlyMap<string, TextTree>; readonly others: readonly string[] }
  | { readonly list: readonly TextTree[] };

const textKeys = new Set([
  'title',
  'intro',
  'text',
  'busy',
  'step',
  'ui:title',
  'ui:help',
  'ui:placeholder',
  'ui:enumNames',
]);

/** Where the messages of one field stand, in a ui and in a shared definition. */
const messagesOfField = /^(\/messages\/|\/\$defs\/[^/]+\/messages$)/;

/** The texts of a ui, of notices or of shared definitions; null where there is none. `pointer`: where the value stands in its file. */
export function textTree(value: Json, pointer = '', isText = false): TextTree | null {
  if (typeof value === 'string') return isText ? { pointer, text: value } : null;
  if (Array.isArray(value)) return treeOfList(value, pointer, isText);
  if (!isObject(value)) return null;
  const keys = new Map<string, TextTree>();
  for (const [key, part] of Object.entries(value) as [string, Json][]) {
    const tree = textTree(part, `${pointer}/${escapePointer(key)}`, textKeys.has(key) || messagesOfField.test(pointer));
    if (tree) keys.set(key, tree);
  }
  return keys.size === 0 ? null : { keys, others: Object.keys(value).filter((key) => !keys.has(key)) };
}

/** An entry with one text is that text. Entries stand by their names where each has one: several of a name in their order. */
function treeOfList(list: readonly Json[], pointer: string, isText: boolean): TextTree | null {
  const entries = list.flatMap((entry, index) => {
    const tree = textTree(entry, `${pointer}/${index}`, isText && typeof entry === 'string');
    return tree ? [{ name: nameOf(entry), tree: onlyText(tree) ?? tree }] : [];
  });
  if (entries.length === 0) return null;
  const byName = new Map<string, TextTree[]>();
  for (const { name, tree } of entries) {
    if (name === undefined) return { list: entries.map((entry) => entry.tree) };
    byName.set(name, [...(byName.get(name) ?? []), tree]);
  }
  const keys = [...byName].map(([name, list]) => [name, list.length === 1 && list[0] ? list[0] : { list }] as const);
  return { keys: new Map(keys), others: [] };
}

/** What a button is named by, and a link. */
function nameOf(entry: Json): string | undefined {
  if (!isObject(entry)) return undefined;
  const name = entry['event'] ?? entry['to'];
  return typeof name === 'string' ? name : undefined;
}

function onlyText(tree: TextTree): TextTree | undefined {
  const [first, ...others] = placesIn(tree, '');
  return first && others.length === 0 ? { pointer: first.pointer, text: first.text } : undefined;
}

/** Every text of a tree; `address`: where the tree stands in a translation. */
export function placesIn(tree: TextTree, address: string): readonly TextPlace[] {
  if ('text' in tree) return [{ ...tree, address }];
  const parts = 'list' in tree ? tree.list.entries() : tree.keys;
  return [...parts].flatMap(([key, part]) => placesIn(part, `${address}/${escapePointer(String(key))}`));
}

/** Every text of a file. */
export function placesOf(file: Json): readonly TextPlace[] {
  const tree = textTree(file);
  return tree ? placesIn(tree, '') : [];
}

/** Every text of a value by its pointer; `pointer`: where the value stands in its file. */
export function textsOf(value: Json, pointer = ''): ReadonlyMap<string, string> {
  const tree = textTree(value, pointer);
  return new Map((tree ? placesIn(tree, '') : []).map((place) => [place.pointer, place.text]));
}

/** Every text of a file with its own text in a translation; `undefined` where it is not translated. */
export function pairsOf(
  file: Json,
  translation: Json,
): readonly (TextPlace & { readonly translated: string | undefined })[] {
  return placesOf(file).map((place) => {
    const text = valueAt(translation, place.address);
    return { ...place, translated: typeof text === 'string' ? text : undefined };
  });
}

/** Where what stands at a pointer of a file stands in its translations. */
export function addressIn(file: Json): (pointer: string) => string {
  const addresses = new Map(placesOf(file).map(({ pointer, address }) => [pointer, address]));
  return (pointer) => addresses.get(pointer) ?? pointer;
}

/** The translation of a tree of texts; `say`: what it says of each. */
export function translationOf(tree: TextTree, say: (text: Pick<TextPlace, 'pointer' | 'text'>) => string): Json {
  if ('text' in tree) return say(tree);
  if ('list' in tree) return tree.list.map((part) => translationOf(part, say));
  return Object.fromEntries([...tree.keys].map(([key, part]) => [key, translationOf(part, say)]));
}

/** A file with other texts, by their pointers. */
export function withTexts(value: Json, texts: ReadonlyMap<string, string>, pointer = ''): Json {
  if (typeof value === 'string') return texts.get(pointer) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part: Json, index) => withTexts(part, texts, `${pointer}/${index}`));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withTexts(part, texts, `${pointer}/${escapePointer(key)}`)]),
  );
}
