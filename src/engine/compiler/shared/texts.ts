import { isObject, type Json } from '../../core/json.ts';
import { checkFormat } from '../formats/check-format.ts';
import { mergePatch } from './merge-patch.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { Problems, SourceFile } from '../sources/source-file.ts';
import { say } from '../sources/say.ts';

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

/** A file in another language: its patch over the base, checked to translate every text and nothing else; null where there is none of its kind. */
export function translated(
  base: SourceFile,
  patch: SourceFile | undefined,
  kind: 'ui' | 'notices' | 'presets',
  language: string,
  problems: Problems,
): Json | null {
  if (!patch) {
    const name = base.path.split('/').at(-1)?.replace(/json$/, `${language}.json`) ?? '';
    problems.add(base, '', say`There is no ${name} beside it.`, say`Add it: a JSON Merge Patch with every text.`);
    return null;
  }
  const merged = mergePatch(base.value, patch.value);
  if (!checkFormat(patch, kind, problems, merged)) return null;
  const texts = textsOf(patch.value);
  for (const pointer of textsOf(base.value).keys()) {
    if (!texts.has(pointer)) {
      problems.add(
        patch,
        pointer,
        say`The text of ${pointer} is missing.`,
        say`Translate the text that stands in ${base.path}.`,
      );
    }
  }
  const [before, after] = [skeleton(base.value), skeleton(merged)];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    problems.add(
      patch,
      firstDifference(before, after, ''),
      say`A translation changes more than texts.`,
      say`Keep everything but the texts as in ${base.path}, in the same order.`,
    );
  }
  return merged;
}

/** Every text of a ui by pointer. */
export function textsOf(ui: Json, pointer = '', within = false): Map<string, string> {
  const found = new Map<string, string>();
  const add = (node: Json, at: string, isText: boolean) => {
    if (typeof node === 'string') {
      if (isText) found.set(at, node);
    } else for (const [key, text] of textsOf(node, at, isText)) found.set(key, text);
  };
  if (Array.isArray(ui))
    ui.forEach((item: Json, index) => add(item, `${pointer}/${index}`, within && typeof item === 'string'));
  else if (isObject(ui)) {
    for (const [key, part] of Object.entries(ui) as [string, Json][]) {
      add(part, `${pointer}/${escapePointer(key)}`, textKeys.has(key) || messagesOfField.test(pointer));
    }
  }
  return found;
}

// The ui with every text replaced by a mark and keys in order: what a translation must not change.
function skeleton(node: Json, isText = false, inMessages = 0): Json {
  if (typeof node === 'string') return isText ? '…' : node;
  if (Array.isArray(node)) return node.map((item: Json) => skeleton(item, isText && typeof item === 'string'));
  if (!isObject(node)) return node;
  const entries = Object.entries(node as Record<string, Json>).filter(
    ([key]) => key !== '$schema' && key !== '$comment',
  );
  return Object.fromEntries(
    entries
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, part]) => {
        const depth = key === 'messages' && inMessages === 0 ? 1 : inMessages > 0 ? inMessages + 1 : 0;
        return [key, skeleton(part, textKeys.has(key) || depth >= 2, depth)];
      }),
  );
}

function firstDifference(before: Json | undefined, after: Json | undefined, pointer: string): string {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [a, b] = [(before as Record<string, Json>)[key], (after as Record<string, Json>)[key]];
      if (JSON.stringify(a) !== JSON.stringify(b)) return firstDifference(a, b, `${pointer}/${escapePointer(key)}`);
    }
  }
  return pointer;
}
