import { isObject, type Json } from '../../../../core/json.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { Localized } from '../../../localized.ts';
import { say } from '../../../sources/say.ts';
import type { SourceFile } from '../../../sources/source-file.ts';
import type { LintRule, Finding, Subject } from '../../subject.ts';
import { lengthOf } from '../../wording/own-words.ts';

/** Reports identical notices, messages, field texts and branches that could be shared. Other texts cannot be shared. */
export const textAgain: LintRule<Subject> = {
  id: 'text/again',
  severity: 'N',
  find: ({ screens, set }) => {
    const uis = [...screens.values()].flatMap(({ files }) => files.ui ?? []);
    return [
      ...again(uis.flatMap(noticesOf), say`Write it once in schemas/_shared/notices.json.`),
      ...again(
        uis.flatMap((file) => [...messagesOf(file), ...fieldTextsOf(file)]),
        say`Write it once with the field, in a definition of schemas/_shared.`,
      ),
      ...set.flows.flatMap((flow) => again(branchesOf(flow), say`Write it once in "branches" of the flow.`)),
    ];
  },
};

/** Number of places from which on repetitions are reported. */
const often = 3;
/** Texts with fewer words and fewer characters may repeat, e.g. "Código". */
const [fewWords, fewSigns] = [4, 25];
/** Shorter branches, in characters of JSON, are easier to read than the name of a shared one. */
const shortBranch = 60;

interface Place {
  readonly file: SourceFile;
  readonly pointer: string;
  readonly content: string;
}

function again(places: readonly Place[], hint: Localized): readonly Finding[] {
  const same = new Map<string, Place[]>();
  for (const place of places) {
    const known = same.get(place.content);
    if (known) known.push(place);
    else same.set(place.content, [place]);
  }
  return [...same.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length + 1 < often
      ? []
      : {
          file: first.file,
          pointer: first.pointer,
          message: say`The same stands at ${others.length + 1} places.`,
          hint,
          related: others.map(({ file, pointer }) => ({ file: file.path, pointer })),
        },
  );
}

function noticesOf(file: SourceFile): readonly Place[] {
  return entriesAt(file, 'notices').map(([name, notice]) => ({
    file,
    pointer: `/notices/${escapePointer(name)}`,
    content: JSON.stringify([name, notice]),
  }));
}

function messagesOf(file: SourceFile): readonly Place[] {
  return entriesAt(file, 'messages').flatMap(([field, messages]) =>
    Object.entries(isObject(messages) ? messages : {}).map(([keyword, text]) => ({
      file,
      pointer: `/messages/${escapePointer(field)}/${escapePointer(keyword)}`,
      content: JSON.stringify([keyword, text]),
    })),
  );
}

function fieldTextsOf(file: SourceFile): readonly Place[] {
  const look = (fields: unknown, at: string): readonly Place[] =>
    Object.entries(isObject(fields) ? fields : {}).flatMap(([word, value]) => {
      const pointer = `${at}/${escapePointer(word)}`;
      if (!word.startsWith('ui:')) return look(value, pointer); // a field, or one nested in an object or a list
      const isShared = ['ui:title', 'ui:help', 'ui:placeholder'].includes(word);
      return isShared && typeof value === 'string' && isLong(value)
        ? [{ file, pointer, content: JSON.stringify([word, value]) }]
        : [];
    });
  return look(isObject(file.value) ? file.value['fields'] : undefined, '/fields');
}

function isLong(text: string): boolean {
  return text.length >= fewSigns || lengthOf(text) >= fewWords;
}

function entriesAt({ value }: SourceFile, part: string): readonly (readonly [name: string, content: unknown])[] {
  const content = isObject(value) ? value[part] : undefined;
  return isObject(content) ? Object.entries(content) : [];
}

function branchesOf(file: SourceFile): readonly Place[] {
  const found: Place[] = [];
  const look = (value: Json | undefined, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const isBranch =
      !Array.isArray(value) && ['target', 'leave', 'branches'].some((word) => Object.hasOwn(value, word));
    const content = JSON.stringify(value);
    if (isBranch && content.length >= shortBranch) found.push({ file, pointer, content });
    for (const [step, inner] of Object.entries(value)) look(inner as Json, `${pointer}/${escapePointer(step)}`);
  };
  look(isObject(file.value) ? (file.value.states as Json) : undefined, '/states');
  return found;
}
