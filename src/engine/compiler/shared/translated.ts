import { isObject, type Json } from '../../core/json.ts';
import { escapePointer, valueAt } from '../../core/json-pointer.ts';
import { explain, say } from '../sources/say.ts';
import type { Localized } from '../localized.ts';
import { checkVersion } from '../formats/version.ts';
import { guess } from '../sources/suggest-name.ts';
import type { Report } from '../sources/report.ts';
import type { Problems, SourceFile } from '../sources/source-file.ts';
import { listTextPairs, placesIn, textTree, buildTranslation, withTexts, type TextTree } from './texts.ts';
import { placeholders } from '../../core/messages.ts';
import type { FileSet } from '../files/read-set.ts';
import { textTable } from '../files/plugin-table.ts';

/** Returns a file with its texts translated, or `null` if the translation is missing or has another shape. Reports any difference. */
export function translated(
  base: SourceFile,
  translation: SourceFile | undefined,
  language: string,
  problems: Problems,
): Json | null {
  if (!translation) {
    const name = base.path.split('/').at(-1)?.replace(/json$/, `${language}.json`) ?? '';
    problems.report(base)('')(explain`There is no ${name} beside it.
      Add it with every text of ${base.path}.`);
    return null;
  }
  if (!checkTranslation(base, translation, problems.report(translation))) return null;
  const texts = listTextPairs(base.value, translation.value).flatMap(({ pointer, translated: text }) =>
    text === undefined ? [] : [[pointer, text] as const],
  );
  return withTexts(base.value, new Map(texts));
}

function checkTranslation(base: SourceFile, { value }: SourceFile, report: Report): boolean {
  if (!isObject(value)) {
    report('')(explain`A translation is an object of texts.
      Write an object with every text of ${base.path}.`);
    return false;
  }
  const { $schema, $comment: _, ...whole } = value as Readonly<Record<string, Json>>;
  checkVersion($schema, 'translation', report);
  const tree = textTree(base.value) ?? { keys: new Map<string, TextTree>(), others: [] };
  return checkTexts(tree, whole, '', { base, whole, report });
}

interface Surroundings {
  readonly base: SourceFile;
  readonly whole: Json;
  readonly report: Report;
}

/** Checks a part of a translation. Returns whether it has the shape of the original, even if some texts are missing. */
function checkTexts(tree: TextTree, value: Json | undefined, address: string, around: Surroundings): boolean {
  const { base, report } = around;
  const refuse = (message: Localized): boolean => {
    report(address)(explain`${message}
      ${instead(tree, around)}`);
    return false;
  };
  const checkPart = (part: TextTree, key: string): boolean => {
    const step = `/${escapePointer(key)}`;
    return checkTexts(part, valueAt(value, step), address + step, around);
  };
  if (value === undefined || value === '') {
    for (const { address: at } of placesIn(tree, address))
      report(at)(explain`The text of ${at} is missing.
        Translate the text that stands in ${base.path}.`);
    return true;
  }
  if ('text' in tree) return typeof value === 'string' || refuse(say`One text stands here.`);
  if ('list' in tree) {
    const { list } = tree;
    if (!Array.isArray(value) || value.length !== list.length)
      return refuse(say`A list of ${list.length} stands here, in the order of ${base.path}.`);
    return list.map((part, index) => checkPart(part, String(index))).every(Boolean);
  }
  if (!isObject(value)) return refuse(say`Each text stands here behind its own key.`);
  for (const key of Object.keys(value)) if (!tree.keys.has(key)) checkOther(tree, value[key], key, address, around);
  return [...tree.keys].map(([key, part]) => checkPart(part, key)).every(Boolean);
}

function checkOther(
  { keys, others }: Extract<TextTree, { keys: unknown }>,
  value: unknown,
  key: string,
  address: string,
  { base, report }: Surroundings,
): void {
  const at = `${address}/${escapePointer(key)}`;
  if (!others.includes(key))
    report(at)(explain`${base.path} has no text of this key.
      ${guess(key, keys.keys())}Remove it, or add it there.`);
  else if (!isEmpty(value))
    // an empty list or object is harmless
    report(at)(explain`"${key}" is no text to translate.
      Remove it: it stands in ${base.path} alone.`);
}

/** Suggests the correct translation. If the translation is a copy of the base file, the suggestion keeps its texts. */
function instead(tree: TextTree, { base, whole }: Surroundings): Localized {
  const right = buildTranslation(tree, ({ pointer }) => {
    const text = valueAt(whole, pointer);
    return typeof text === 'string' ? text : '…';
  });
  return say`Write ${JSON.stringify(right)}. Rules, events and addresses stand in ${base.path} alone.`;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Checks that translations of texts outside screens have the same keys and placeholders. A file may have no translation. */
export function checkCommonTexts({ commonTexts, languages }: FileSet, problems: Problems): void {
  for (const [name, base] of commonTexts)
    for (const language of languages.slice(1)) {
      const twin = commonTexts.get(name.replace(/json$/, `${language}.json`));
      if (twin) checkTwin(base, twin, problems);
    }
}

function checkTwin(base: SourceFile, twin: SourceFile, problems: Problems): void {
  const [there, here] = [textTable(base), textTable(twin)];
  for (const [key, text] of Object.entries(there)) {
    const pointer = `/${escapePointer(key)}`;
    const own = here[key];
    if (own === undefined) {
      problems.report(twin)(pointer)(explain`The text of ${pointer} is missing.
        Translate the text that stands in ${base.path}.`);
      continue;
    }
    const lost = placeholders(text).find((place) => !placeholders(own).includes(place));
    const other = placeholders(own).find((place) => !placeholders(text).includes(place));
    if (lost !== undefined)
      problems.report(twin)(pointer)(explain`{${lost}} is missing here.
        Write it as in ${base.path}: a value is put in its place.`);
    if (other !== undefined)
      problems.report(twin)(pointer)(explain`{${other}} has no value here.
        Take the placeholders of ${base.path}.`);
  }
  for (const key of Object.keys(isObject(twin.value) ? twin.value : {}))
    if (!Object.hasOwn(there, key))
      problems.report(twin)(`/${escapePointer(key)}`)(explain`${base.path} has no text of this key.
        Remove it, or add it there.`);
}
