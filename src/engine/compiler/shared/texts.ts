import { escapePointer, valueAt } from '../../core/json-pointer.ts';
import { isObject, type Json } from '../../core/json.ts';

/** A text of a file. `pointer` is its location in the file, `address` the one in translations. */
interface TextPlace {
  readonly pointer: string;
  readonly address: string;
  readonly text: string;
}

/** Texts of a file in the shape of its translation: a text, texts by key, or a list. `others` are keys without a text. */
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

/** Pointers of the messages of one field, in a ui or a shared definition. */
const messagesOfField = /^(\/messages\/|\/\$defs\/[^/]+\/messages$)/;

/** Returns the texts of a ui, notices or shared definitions, or `null`. `pointer` is the location of `value` in its file. */
export function textTree(value: Json, pointer = '', isText = false): TextTree | null {
  if (typeof value === 'string') return isText ? { pointer, text: value } : null;
  if (Array.isArray(value)) return buildListTree(value, pointer, isText);
  if (!isObject(value)) return null;
  const keys = new Map<string, TextTree>();
  for (const [key, part] of Object.entries(value) as [string, Json][]) {
    const tree = textTree(part, `${pointer}/${escapePointer(key)}`, textKeys.has(key) || messagesOfField.test(pointer));
    if (tree) keys.set(key, tree);
  }
  return keys.size === 0 ? null : { keys, others: Object.keys(value).filter((key) => !keys.has(key)) };
}

/** Keys entries by their names if all have one. Entries with the same name form a list. An entry with a single text becomes that text. */
function buildListTree(list: readonly Json[], pointer: string, isText: boolean): TextTree | null {
  const entries = list.flatMap((entry, index) => {
    const tree = textTree(entry, `${pointer}/${index}`, isText && typeof entry === 'string');
    return tree ? [{ name: findEntryName(entry), tree: onlyText(tree) ?? tree }] : [];
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

function findEntryName(entry: Json): string | undefined {
  if (!isObject(entry)) return undefined;
  const name = entry['event'] ?? entry['to'];
  return typeof name === 'string' ? name : undefined;
}

function onlyText(tree: TextTree): TextTree | undefined {
  const [first, ...others] = placesIn(tree, '');
  return first && others.length === 0 ? { pointer: first.pointer, text: first.text } : undefined;
}

export function placesIn(tree: TextTree, address: string): readonly TextPlace[] {
  if ('text' in tree) return [{ ...tree, address }];
  const parts = 'list' in tree ? tree.list.entries() : tree.keys;
  return [...parts].flatMap(([key, part]) => placesIn(part, `${address}/${escapePointer(String(key))}`));
}

export function listTextPlaces(file: Json): readonly TextPlace[] {
  const tree = textTree(file);
  return tree ? placesIn(tree, '') : [];
}

/** Returns every text of a value, by pointer. `pointer` is the location of the value in its file. */
export function indexTexts(value: Json, pointer = ''): ReadonlyMap<string, string> {
  const tree = textTree(value, pointer);
  return new Map((tree ? placesIn(tree, '') : []).map((place) => [place.pointer, place.text]));
}

/** Returns every text of a file with its translation, or `undefined` if it is not translated. */
export function listTextPairs(
  file: Json,
  translation: Json,
): readonly (TextPlace & { readonly translated: string | undefined })[] {
  return listTextPlaces(file).map((place) => {
    const text = valueAt(translation, place.address);
    return { ...place, translated: typeof text === 'string' ? text : undefined };
  });
}

/** Returns a function that maps a pointer in a file to the address in its translations. */
export function addressIn(file: Json): (pointer: string) => string {
  const addresses = new Map(listTextPlaces(file).map(({ pointer, address }) => [pointer, address]));
  return (pointer) => addresses.get(pointer) ?? pointer;
}

/** Builds the translation of a tree. `say` translates each text. */
export function buildTranslation(tree: TextTree, say: (text: Pick<TextPlace, 'pointer' | 'text'>) => string): Json {
  if ('text' in tree) return say(tree);
  if ('list' in tree) return tree.list.map((part) => buildTranslation(part, say));
  return Object.fromEntries([...tree.keys].map(([key, part]) => [key, buildTranslation(part, say)]));
}

export function withTexts(value: Json, texts: ReadonlyMap<string, string>, pointer = ''): Json {
  if (typeof value === 'string') return texts.get(pointer) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part: Json, index) => withTexts(part, texts, `${pointer}/${index}`));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withTexts(part, texts, `${pointer}/${escapePointer(key)}`)]),
  );
}
