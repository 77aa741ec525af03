import { createScanner, findNodeAtLocation, getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { escapePointer, splitPointer } from '../../core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { DefinitionProblem } from '../definitions.ts';
import { explainSyntaxError } from './json-syntax.ts';
import {
  type ProblemExplanation,
  explain,
  resolveLanguage,
  localize,
  selectLocalizedText,
  type LocalizedText,
} from './localized-text.ts';

/** Cyrillic and Greek letters that look like Latin letters, each with the Latin letter. */
const lookalikes = new Map(
  'аa еe оo рp сc уy хx іi ѕs јj АA ВB ЕE КK МM НH ОO РP СC ТT ХX οo νv αa ΑA ΒB ΕE ΟO ΡP ΤT'
    .split(' ')
    .map(([other = '', latin = '']) => [other, latin] as const),
);

/** Pattern of invisible characters and of characters that change the text direction. Allows U+200D between emoji. */
const invisibleCharacter =
  /[\u00ad\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/u;
/** Pattern of blanks other than the ordinary space. */
const unusualBlank = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
/** Pattern of the replacement character, and of UTF-8 that was decoded as Latin 1: "Ã³" for "ó". */
const brokenLetter =
  /\ufffd|Ã[\u0080-\u00bf\u0192\u02c6\u2018-\u201e\u2030\u2039\u0160\u0161\u0153]|Â[\u00a0-\u00bf]|â€[\u0080-\u2122]/u;
/** Maximum length of a text that a message quotes, in characters. */
const longestQuote = 60;
/** Pattern of letters of alphabets that have Latin lookalikes. */
const otherLetter = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Finds a misleading character in a text, or in a string literal of a file. Allows escape sequences, which are visible. Returns `null` if there is none. */
export function findHiddenCharacter(written: string, isKey: boolean): ProblemExplanation | null {
  const clean = () =>
    written
      .replaceAll(new RegExp(invisibleCharacter, 'gu'), '')
      .replaceAll(new RegExp(unusualBlank, 'gu'), ' ')
      .replaceAll(/\p{L}/gu, (letter) => lookalikes.get(letter) ?? letter)
      .trim();
  const refuse = (message: LocalizedText) => ({ message, hint: localize`Type it again by hand: "${clean()}".` });
  const [broken] = brokenLetter.exec(written) ?? [];
  if (broken !== undefined)
    return {
      message: localize`"${written.slice(0, longestQuote)}" contains "${broken}": it was saved in another encoding.`,
      hint: localize`Type the letter again, and save the file as UTF-8.`,
    };
  const [sign] = invisibleCharacter.exec(written) ?? [];
  if (sign !== undefined)
    return refuse(localize`"${clean()}" contains an invisible character (${formatCodePoint(sign)}).`);
  const isAtEnd = unusualBlank.test(written.slice(0, 1)) || unusualBlank.test(written.slice(-1));
  const [blank] = isKey || isAtEnd ? (unusualBlank.exec(written) ?? []) : [];
  if (blank !== undefined)
    return refuse(localize`"${clean()}" contains a space that is not the ordinary one (${formatCodePoint(blank)}).`);
  const isMixed = !written.includes('[') && otherLetter.test(written); // brackets may be a character class, which may mix alphabets
  const words = isMixed ? (written.match(/\p{L}+/gu) ?? []) : [];
  const foreign = words.flatMap((word) => (/\p{Script=Latin}/u.test(word) ? (otherLetter.exec(word) ?? []) : []))[0];
  if (foreign !== undefined)
    return refuse(
      localize`"${written}" contains a letter of another alphabet that looks like a Latin one: ${foreign} (${formatCodePoint(foreign)}).`,
    );
  return isKey && written !== written.trim()
    ? refuse(localize`The key "${written}" begins or ends with a space.`)
    : null;
}

function formatCodePoint(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A JSON file with the positions of its values. */
export interface SourceFile {
  /** Path relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly value: Json;
  readonly tree: Node | undefined;
}

export interface SourceLocation {
  readonly file: SourceFile;
  readonly pointer: string;
}

/** Reads a JSON file of the definitions. Returns `null` if the file is invalid. */
export type ReadSourceFile = (path: string) => Promise<SourceFile | null>;

export class ProblemCollector {
  readonly list: DefinitionProblem[] = [];
  readonly language: string;

  /** Creates an empty list. `language` is the language of the messages. Defaults to the language of the sentences in the code. */
  constructor(language?: string) {
    this.language = resolveLanguage(language);
  }

  /** Returns a function that reports problems in a file. Ignores duplicates. Reports a missing pointer at its nearest existing parent. */
  report(file: Pick<SourceFile, 'path' | 'text' | 'tree'>): ProblemReporter {
    return (pointer) => (problem) => {
      const message = selectLocalizedText(problem.message, this.language);
      if (
        !this.list.some((known) => known.file === file.path && known.pointer === pointer && known.message === message)
      )
        this.addAt({ file: file.path, ...locatePointer(file, pointer), pointer })(problem);
    };
  }

  createEmpty(): ProblemCollector {
    return new ProblemCollector(this.language);
  }

  /** Adds the problems of `others`. Ignores duplicates. */
  addAll(others: ProblemCollector): void {
    const createProblemKey = ({ file, line, column, pointer, message }: DefinitionProblem) =>
      JSON.stringify([file, line, column, pointer, message]);
    const known = new Set(this.list.map(createProblemKey));
    this.list.push(...others.list.filter((problem) => !known.has(createProblemKey(problem))));
  }

  addAt(place: Omit<DefinitionProblem, 'message' | 'hint'>): (problem: ProblemExplanation) => void {
    return ({ message, hint }) => {
      this.list.push({
        ...place,
        message: selectLocalizedText(message, this.language),
        hint: selectLocalizedText(hint, this.language),
      });
    };
  }
}

/** Returns the position of a pointer in its file, and the nearest description. A missing pointer has the position of its nearest existing parent. */
export function locatePointer(
  { text, tree }: Pick<SourceFile, 'text' | 'tree'>,
  pointer: string,
): { readonly line: number; readonly column: number; readonly description?: string } {
  const description = findDescription(tree, pointer);
  return { ...toLineAndColumn(text, findOffset(tree, pointer)), ...(description === undefined ? {} : { description }) };
}

/** Keys whose text can identify a list item, in order of preference. */
const namingKeys = ['state', 'event', 'to', 'name', 'target', 'notice', 'leave', 'field', 'title', 'text'];

/**
 * Returns a pointer that identifies list items by name, so that the pointer stays valid if items are added: "/progress/data/guard" for
 * "/progress/3/guard".
 */
export function replaceIndexesByNames(value: Json, pointer: string): string {
  let now: Json | undefined = value;
  return splitPointer(pointer)
    .map((step) => {
      const holder: Json | undefined = now;
      now = Array.isArray(holder) ? holder[Number(step)] : isObject(holder) ? (holder as JsonObject)[step] : undefined;
      return `/${escapePointer((Array.isArray(holder) && nameItem(holder, Number(step))) || step)}`;
    })
    .join('');
}

/** Returns a name that no other item of the list has. Returns `null` if there is none. */
function nameItem(list: readonly Json[], index: number): string | null {
  const item = list[index];
  if (typeof item === 'string') return /^[\w-]+$/.test(item) && isOnly(list, (other) => other === item) ? item : null;
  if (!isObject(item)) return null;
  const key = namingKeys.find((own) => {
    const name = (item as JsonObject)[own];
    const hasName = (other: Json) => other === name || (isObject(other) && (other as JsonObject)[own] === name);
    return typeof name === 'string' && name !== '' && isOnly(list, hasName);
  });
  return key === undefined ? null : String((item as JsonObject)[key]);
}

function isOnly(list: readonly Json[], fits: (item: Json) => boolean): boolean {
  return list.filter(fits).length === 1;
}

/** Maximum nesting depth of a JSON file. No definition needs as many levels, and the stack of the parser allows far more. */
const maxDepth = 100;

/**
 * Parses a JSON file. If the file could not be read, `bytes` is the error message. Reports a problem and returns `null` if the file is not valid
 * JSON.
 */
export function parseSourceFile(
  file: string,
  bytes: Uint8Array | string,
  problems: ProblemCollector,
): SourceFile | null {
  const refuse = (place: { line: number; column: number }) => (problem: ProblemExplanation) => {
    problems.addAt({ file, ...place, pointer: '' })(problem);
    return null;
  };
  if (typeof bytes === 'string')
    return refuse({ line: 1, column: 1 })(explain`The file cannot be read: ${bytes}.
      Check its type and its permissions.`);
  const wrongLine = findInvalidUtf8Line(bytes);
  if (wrongLine !== null)
    return refuse({ line: wrongLine, column: 1 })(explain`The file is not written in UTF-8.
      Save it as UTF-8. The first invalid character is on this line.`);
  const text = new TextDecoder().decode(bytes); // also removes a byte order mark
  const deep = findTooDeepOffset(text, maxDepth);
  if (deep !== null)
    return refuse(toLineAndColumn(text, deep))(explain`This is nested deeper than ${maxDepth} levels.
      Look for a bracket or brace that is repeated.`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (!error && tree) return { path: file, text, tree, value: getNodeValue(tree) as Json }; // cast: the parser returns plain JSON values
  const { offset, ...explanation } = explainSyntaxError(text, error);
  return refuse(toLineAndColumn(text, offset))(explanation);
}

/**
 * Reports valid JSON that is never intended: duplicate keys, keys that every object inherits, such as "constructor", numbers out of range, and
 * misleading characters. Returns whether there are no problems.
 */
export function checkSourceFile(file: SourceFile, problems: ProblemCollector): boolean {
  const before = problems.list.length;
  const report = (at: Node | undefined, pointer: string) => (problem: ProblemExplanation) =>
    problems.addAt({ file: file.path, ...toLineAndColumn(file.text, at?.offset ?? 0), pointer })(problem);
  const reportHidden = (node: Node | undefined, pointer: string, isKey: boolean): void => {
    const hidden = node && findHiddenCharacter(file.text.slice(node.offset + 1, node.offset + node.length - 1), isKey);
    if (hidden) report(node, pointer)(hidden);
  };
  const visit = (node: Node, pointer: string): void => {
    if (node.type === 'string') reportHidden(node, pointer, false);
    const reportNode = report(node, pointer);
    if (node.type === 'number' && !Number.isFinite(node.value))
      reportNode(explain`The number is too large.
        Write a smaller number.`);
    const seen = new Set<string>();
    node.children?.forEach((child, index) => {
      if (node.type !== 'object') return visit(child, `${pointer}/${index}`);
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      const at = `${pointer}/${escapePointer(name)}`;
      const reportKey = report(key, at);
      reportHidden(key, at, true);
      if (seen.has(name))
        reportKey(explain`The key "${name}" appears twice in the same object.
          Remove or rename one of them.`);
      if (name in Object.prototype)
        reportKey(explain`A key cannot be called "${name}".
          Every object already has a property with this name: choose another.`);
      seen.add(name);
      if (value) visit(value, at);
    });
  };
  if (file.tree) visit(file.tree, '');
  return problems.list.length === before;
}

function findInvalidUtf8Line(bytes: Uint8Array): number | null {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    try {
      decoder.decode(bytes.subarray(start, next));
    } catch {
      return line;
    }
    start = next;
  }
  return null;
}

/** Returns the offset at which the nesting first exceeds `limit`. Returns `null` if it never does. */
function findTooDeepOffset(text: string, limit: number): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const sign = text[scanner.getTokenOffset()] ?? ' ';
    if ('{['.includes(sign)) depth += 1;
    else if ('}]'.includes(sign)) depth -= 1;
    if (depth > limit) return scanner.getTokenOffset();
  }
  return null;
}

function findOffset(tree: Node | undefined, pointer: string): number {
  const node = findInnermost(pointer, (steps) => findTreeNode(tree, steps));
  return (node?.parent?.type === 'property' ? node.parent.offset : node?.offset) ?? 0;
}

/** Returns the `description` of the innermost object that contains a pointer. Ignores the description of the file itself. */
function findDescription(tree: Node | undefined, pointer: string): string | undefined {
  const node = findInnermost(pointer, (steps) => {
    const found = findTreeNode(tree, [...steps, 'description']);
    return found?.type === 'string' ? found : undefined;
  });
  return node && String(node.value);
}

/** Returns the first result of `look` for a pointer, its parent and so on, except the root. */
function findInnermost<Found>(
  pointer: string,
  look: (steps: readonly string[]) => Found | undefined,
): Found | undefined {
  const steps = splitPointer(pointer);
  return steps.reduce<Found | undefined>((found, _, up) => found ?? look(steps.slice(0, steps.length - up)), undefined);
}

function findTreeNode(tree: Node | undefined, steps: readonly string[]): Node | undefined {
  return steps.reduce(
    (node, step) => node && findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]),
    tree,
  );
}

function toLineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Returns a function that reports a problem at a pointer of the checked file. */
export type ProblemReporter = (pointer: string) => (problem: ProblemExplanation) => void;

/** Reports each problem once per location, because several states share inherited parts. */
export function deduplicateReports(
  toSourcePointer: (pointer: string) => string,
  report: ProblemReporter,
): ProblemReporter {
  const reportedKeys = new Set<string>();
  return (pointer) => (problem) => {
    const place = toSourcePointer(pointer);
    const key = `${place} ${JSON.stringify(problem.message)}`;
    if (reportedKeys.has(key)) return;
    reportedKeys.add(key);
    report(place)(problem);
  };
}

export function createUnforeseenProblem(error: unknown, file: string, language?: string): DefinitionProblem {
  const resolvedLanguage = resolveLanguage(language);
  const { message, hint } = explain`Unexpected error: ${String(error)}.
    Undo the last change and make it again in smaller steps.`;
  const place = { file, line: 1, column: 1, pointer: '' };
  return {
    ...place,
    message: selectLocalizedText(message, resolvedLanguage),
    hint: selectLocalizedText(hint, resolvedLanguage),
  };
}
