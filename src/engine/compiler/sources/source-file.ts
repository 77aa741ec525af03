import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { escapePointer, splitPointer } from '../../core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';

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

/** Identifies list items by name, so that the pointer stays valid if items are added: "/progress/data/guard" for "/progress/3/guard". */
export function replacePointerIndexesByNames(value: Json, pointer: string): string {
  let now: Json | undefined = value;
  return splitPointer(pointer)
    .map((step) => {
      const holder: Json | undefined = now;
      now = Array.isArray(holder) ? holder[Number(step)] : isObject(holder) ? (holder as JsonObject)[step] : undefined;
      return `/${escapePointer((Array.isArray(holder) && nameItem(holder, Number(step))) || step)}`;
    })
    .join('');
}

/** Maximum length of an item's name. A longer text is shortened to its first words. */
const maxNameLength = 40;
const firstWords = new RegExp(String.raw`^(.{0,${maxNameLength - 1}})\s.*$`, 's');

/** Returns a name that no other item of the list has. Returns `null` if there is none. */
function nameItem(list: readonly Json[], index: number): string | null {
  const item = list[index];
  if (typeof item === 'string') return /^[\w-]+$/.test(item) && isOnly(list, (other) => other === item) ? item : null;
  if (!isObject(item)) return null;
  const key = namingKeys.find((own) => {
    const name = readName(item, own);
    const hasName = (other: Json) => other === name || readName(other, own) === name;
    return name !== '' && isOnly(list, hasName);
  });
  return key === undefined ? null : readName(item, key);
}

function readName(item: Json, key: string): string {
  const name = isObject(item) ? (item as JsonObject)[key] : undefined;
  if (typeof name !== 'string') return '';
  return name.length > maxNameLength ? name.replace(firstWords, '$1…') : name;
}

function isOnly(list: readonly Json[], fits: (item: Json) => boolean): boolean {
  return list.filter(fits).length === 1;
}

function findOffset(tree: Node | undefined, pointer: string): number {
  const node = findInnermost(pointer, (steps) => findTreeNode(tree, steps));
  const last = pointer === '' ? undefined : tree?.children?.at(-1); // where a missing key of the file would be added
  return (node?.parent?.type === 'property' ? node.parent : (node ?? last))?.offset ?? 0;
}

/** Returns the first sentence of the `description` of the innermost object that contains a pointer. Ignores the description of the file itself. */
function findDescription(tree: Node | undefined, pointer: string): string | undefined {
  const node = findInnermost(pointer, (steps) => {
    const found = findTreeNode(tree, [...steps, 'description']);
    return found?.type === 'string' ? found : undefined;
  });
  return node && String(node.value).replace(/(?<=[.!?])\s.*$/s, '');
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

export function toLineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
