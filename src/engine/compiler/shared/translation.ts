import { escapePointer, findByPointer } from '../../core/json-pointer.ts';
import { groupBy, isObject, mapValues, type Json } from '../../core/json.ts';
import {
  explain,
  localize,
  type LocalizedText,
  type ProblemExplanation,
  findNearestName,
} from '../sources/localized-text.ts';
import { checkFileFormatVersion } from '../formats/misplaced-keywords.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { ProblemReporter, ProblemCollector } from '../sources/problem-collector.ts';

interface TextPlace {
  readonly pointer: string;
  /** JSON pointer of the same text in translations of the file. */
  readonly address: string;
  readonly text: string;
}

/** Texts of a file, structured like its translation: a text, texts by key, or a list. `others` has the keys whose values contain no text. */
type TextTree =
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

const messagesOfField = /^(\/messages\/|\/\$defs\/[^/]+\/messages$)/;

/** Returns the texts of a ui, notices or shared definitions. Returns `null` if there are none. `pointer` is the location of `value` in its file. */
export function extractTextTree(value: Json, pointer = '', isText = false): TextTree | null {
  if (typeof value === 'string') return isText ? { pointer, text: value } : null;
  if (Array.isArray(value)) return buildListTree(value, pointer, isText);
  if (!isObject(value)) return null;
  const keys = new Map<string, TextTree>();
  for (const [key, part] of Object.entries(value) as [string, Json][]) {
    const tree = extractTextTree(
      part,
      `${pointer}/${escapePointer(key)}`,
      textKeys.has(key) || messagesOfField.test(pointer),
    );
    if (tree) keys.set(key, tree);
  }
  return keys.size === 0 ? null : { keys, others: Object.keys(value).filter((key) => !keys.has(key)) };
}

/** Keys the entries by `event` or `to` if all have one. Entries with the same key form a list. An entry with one text becomes that text. */
function buildListTree(list: readonly Json[], pointer: string, isText: boolean): TextTree | null {
  const entries = list.flatMap((entry, index) => {
    const tree = extractTextTree(entry, `${pointer}/${index}`, isText && typeof entry === 'string');
    return tree ? [{ name: findEntryName(entry), tree: asTextLeaf(tree) ?? tree }] : [];
  });
  if (entries.length === 0) return null;
  if (entries.some(({ name }) => name === undefined)) return { list: entries.map(({ tree }) => tree) };
  const keys = [...groupBy(entries, ({ name = '' }) => name)].map(([name, named]) => {
    const trees = named.map(({ tree }) => tree);
    return [name, trees.length === 1 && trees[0] ? trees[0] : { list: trees }] as const;
  });
  return { keys: new Map(keys), others: [] };
}

function findEntryName(entry: Json): string | undefined {
  if (!isObject(entry)) return undefined;
  const name = entry['event'] ?? entry['to'];
  return typeof name === 'string' ? name : undefined;
}

function asTextLeaf(tree: TextTree): TextTree | undefined {
  const [first, ...others] = listPlacesIn(tree, '');
  return first && others.length === 0 ? { pointer: first.pointer, text: first.text } : undefined;
}

function listPlacesIn(tree: TextTree, address: string): readonly TextPlace[] {
  if ('text' in tree) return [{ ...tree, address }];
  const parts = 'list' in tree ? tree.list.entries() : tree.keys;
  return [...parts].flatMap(([key, part]) => listPlacesIn(part, `${address}/${escapePointer(String(key))}`));
}

export function listTextLocations(file: Json): readonly TextPlace[] {
  const tree = extractTextTree(file);
  return tree ? listPlacesIn(tree, '') : [];
}

export function indexTextsByPointer(value: Json, pointer = ''): ReadonlyMap<string, string> {
  const tree = extractTextTree(value, pointer);
  return new Map((tree ? listPlacesIn(tree, '') : []).map((place) => [place.pointer, place.text]));
}

export function pairTextsWithTranslations(
  file: Json,
  translation: Json,
): readonly (TextPlace & { readonly translated: string | undefined })[] {
  return listTextLocations(file).map((place) => {
    const text = findByPointer(translation, place.address);
    return { ...place, translated: typeof text === 'string' ? text : undefined };
  });
}

export function createTranslationPointerLookup(file: Json): (pointer: string) => string {
  const addresses = new Map(listTextLocations(file).map(({ pointer, address }) => [pointer, address]));
  return (pointer) => addresses.get(pointer) ?? pointer;
}

export function buildTranslation(
  tree: TextTree,
  translateText: (text: Pick<TextPlace, 'pointer' | 'text'>) => string,
): Json {
  if ('text' in tree) return translateText(tree);
  if ('list' in tree) return tree.list.map((part) => buildTranslation(part, translateText));
  return Object.fromEntries([...tree.keys].map(([key, part]) => [key, buildTranslation(part, translateText)]));
}

export function replaceTexts(value: Json, texts: ReadonlyMap<string, string>, pointer = ''): Json {
  if (typeof value === 'string') return texts.get(pointer) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part: Json, index) => replaceTexts(part, texts, `${pointer}/${index}`));
  return mapValues(value as Readonly<Record<string, Json>>, (part, key) =>
    replaceTexts(part, texts, `${pointer}/${escapePointer(key)}`),
  );
}

/** Returns the translated content, or `null` if the translation is missing or structured differently. Reports all differences. */
export function mergeTranslation(
  base: SourceFile,
  translation: SourceFile | undefined,
  language: string,
  problems: ProblemCollector,
  unusableFiles: readonly string[] = [],
): Json | null {
  if (!translation) {
    if (unusableFiles.includes(base.path.replace(/json$/, `${language}.json`))) return null; // the unusable translation was reported when it was read
    const name = base.path.split('/').at(-1)?.replace(/json$/, `${language}.json`) ?? '';
    problems.report(base)('')(explain`There is no ${name} beside it.
      Add it with every text of ${base.path}.`);
    return null;
  }
  if (!checkTranslation(base, translation, problems.report(translation))) return null;
  const texts = pairTextsWithTranslations(base.value, translation.value).flatMap(({ pointer, translated: text }) =>
    text === undefined ? [] : [[pointer, text] as const],
  );
  return replaceTexts(base.value, new Map(texts));
}

function checkTranslation(base: SourceFile, { value }: SourceFile, report: ProblemReporter): boolean {
  if (!isObject(value)) {
    report('')(explain`A translation is an object of texts.
      Write an object with every text of ${base.path}.`);
    return false;
  }
  const { $schema, $comment: _, ...whole } = value as Readonly<Record<string, Json>>;
  checkFileFormatVersion($schema, 'translation', report);
  const tree = extractTextTree(base.value) ?? { keys: new Map<string, TextTree>(), others: [] };
  return checkTexts(tree, whole, '', { base, whole, report });
}

/** Maximum length of the texts that a message quotes, in characters. */
const maxQuoted = 240;

interface TranslationContext {
  readonly base: SourceFile;
  readonly whole: Json;
  readonly report: ProblemReporter;
}

/** Checks a part of a translation. Returns whether it is structured like the original, even if some texts are missing. */
function checkTexts(tree: TextTree, value: Json | undefined, address: string, around: TranslationContext): boolean {
  const { base, report } = around;
  const refuse = (message: LocalizedText): boolean => {
    report(address)(explain`${message}
      ${suggestTranslation(tree, around)}`);
    return false;
  };
  const checkPart = (part: TextTree, key: string): boolean => {
    const step = `/${escapePointer(key)}`;
    return checkTexts(part, findByPointer(value, step), address + step, around);
  };
  const missing = value === undefined ? listPlacesIn(tree, address) : [];
  if (address !== '' && missing.length > 1) {
    const texts = JSON.stringify(buildTranslation(tree, ({ text }) => text));
    report(address)(explain`The texts of ${address} are missing.
      ${texts.length <= maxQuoted ? localize`Add them here, translated: ${texts}.` : localize`Translate the ${missing.length} texts that ${base.path} has there.`}`);
    return true;
  }
  if (value === undefined || value === '') {
    for (const { address: at, text } of listPlacesIn(tree, address))
      report(at)(explain`The text of ${at} is missing.
        Translate "${text}", which is in ${base.path}.`);
    return true;
  }
  if ('text' in tree) return typeof value === 'string' || refuse(localize`A single text belongs here.`);
  if ('list' in tree) {
    const { list } = tree;
    if (!Array.isArray(value) || value.length !== list.length)
      return refuse(localize`A list of ${list.length} texts belongs here, in the order of ${base.path}.`);
    return list.map((part, index) => checkPart(part, String(index))).every(Boolean);
  }
  if (!isObject(value)) return refuse(localize`An object with a key for each text belongs here.`);
  const renamed = new Set<string>();
  const lacking = new Set([...tree.keys.keys()].filter((key) => !Object.hasOwn(value, key)));
  const unknown = Object.keys(value).filter((own) => !tree.keys.has(own));
  const strangers = unknown.filter((key) => !tree.others.includes(key));
  const renames = new Map<string, string>();
  for (const key of strangers) {
    const now = findNearestName(key, lacking);
    if (now !== undefined && lacking.delete(now)) renames.set(key, now);
  }
  // Translated keys and new link targets are often not similar to the previous ones. Therefore, equally many missing and unknown keys count as the same texts, in order.
  const unpaired = strangers.filter((key) => !renames.has(key));
  const pairs = [...lacking].map((now, index) => [unpaired[index] ?? '', now] as const);
  const isAlike = ([key, now]: readonly [string, string]) =>
    'text' in (tree.keys.get(now) ?? {}) === (typeof value[key] === 'string');
  if (pairs.length === unpaired.length && pairs.every(isAlike)) for (const [key, now] of pairs) renames.set(key, now);
  const short = [...tree.keys].flatMap(([key, part]) =>
    'list' in part && [value[key] ?? []].flat().length === part.list.length - 1 ? [key] : [],
  );
  const joined = unpaired.length === 1 && short.length === 1 ? short[0] : undefined;
  for (const key of unknown) {
    const now = renames.get(key);
    if (joined !== undefined && key === unpaired[0]) {
      renamed.add(joined);
      around.report(`${address}/${escapePointer(key)}`)(explain`In ${around.base.path} this text is now in "${joined}".
        Move it into the list "${joined}": [ … ], in the same order as there.`);
    } else if (now === undefined) checkOther(tree, value[key], key, address, around);
    else {
      renamed.add(now); // a renamed key is a single mistake, not both a missing and an unknown key
      around.report(`${address}/${escapePointer(key)}`)(explainRenamedKey(key, now, around.base));
    }
  }
  return [...tree.keys].map(([key, part]) => !renamed.has(key) && checkPart(part, key)).every(Boolean);
}

function checkOther(
  { others }: Extract<TextTree, { keys: unknown }>,
  value: unknown,
  key: string,
  address: string,
  { base, report }: TranslationContext,
): void {
  const at = `${address}/${escapePointer(key)}`;
  if (!others.includes(key))
    report(at)(explain`${base.path} has no text of this key.
      Remove it here, or add it there.`);
  else if (!isEmpty(value))
    // Ignores empty lists and objects, which are harmless.
    report(at)(explain`"${key}" is not a text to translate.
      Remove it: it belongs only in ${base.path}.`);
}

/** Suggests a translation with the structure of the base file. Keeps the texts that the wrong translation has at the same pointers, and writes "…" for the others. */
function suggestTranslation(tree: TextTree, { base, whole }: TranslationContext): LocalizedText {
  const right = buildTranslation(tree, ({ pointer }) => {
    const text = findByPointer(whole, pointer);
    return typeof text === 'string' ? text : '…';
  });
  return localize`Write ${JSON.stringify(right)}. Rules, events and addresses belong only in ${base.path}.`;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

export function explainRenamedKey(key: string, now: string, base: SourceFile): ProblemExplanation {
  return explain`The key of this text is "${key}" here, and "${now}" in ${base.path}.
    Write "${now}" here, or the right one in both files.`;
}
