import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Json } from '../core/json.ts';
import type { Problem } from './definitions.ts';

/** A JSON file that remembers where each of its values stands. */
export interface SourceFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly value: Json;
  readonly tree: Node | undefined;
}

/** Collects what is wrong with the files of a set. */
export class Problems {
  readonly list: Problem[] = [];

  /** Adds a problem at a pointer of a file, once; a pointer that does not exist lands on its nearest existing parent. */
  add(file: Pick<SourceFile, 'path' | 'text' | 'tree'>, pointer: string, message: string, hint: string): void {
    if (this.list.some((known) => known.file === file.path && known.pointer === pointer && known.message === message)) return;
    const { line, column } = lineAndColumn(file.text, offsetOf(file.tree, pointer));
    this.list.push({ file: file.path, line, column, pointer, message, hint });
  }
}

/** Reads a JSON file; a file that is no JSON becomes a problem and answers null. */
export async function readSource(root: string, path: string, problems: Problems): Promise<SourceFile | null> {
  const text = await readFile(join(root, path), 'utf8');
  const file = { path: relative(root, join(root, path)).split(sep).join('/'), text };
  const errors: ParseError[] = [];
  const tree = parseTree(text.replace(/^\uFEFF/, ''), errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (!error && tree) return { ...file, tree, value: getNodeValue(tree) as Json }; // the parser answers plain JSON values
  const { line, column } = lineAndColumn(text, error?.offset ?? 0);
  const what = error ? printParseErrorCode(error.error) : 'EmptyFile';
  problems.list.push({
    file: file.path, line, column, pointer: '',
    message: `This is no JSON (${what}).`,
    hint: 'Look for a missing or spare comma, quote or brace at or just before this place.',
  });
  return null;
}

/** Reports a key that stands twice in one object: JSON would silently keep the last. */
export function reportDuplicateKeys(file: SourceFile, problems: Problems): void {
  const visit = (node: Node, pointer: string): void => {
    const seen = new Set<string>();
    node.children?.forEach((child, index) => {
      if (node.type !== 'object') return visit(child, `${pointer}/${index}`);
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      if (seen.has(name)) {
        const { line, column } = lineAndColumn(file.text, key?.offset ?? 0);
        problems.list.push({
          file: file.path, line, column, pointer: `${pointer}/${escapePointer(name)}`,
          message: `The key "${name}" stands twice in the same object.`, hint: 'Remove or rename one of them.',
        });
      }
      seen.add(name);
      if (value) visit(value, `${pointer}/${escapePointer(name)}`);
    });
  };
  if (file.tree) visit(file.tree, '');
}

/** One step of a JSON pointer, escaped. */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The steps of a JSON pointer, unescaped. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function offsetOf(tree: Node | undefined, pointer: string): number {
  const steps = pointerSteps(pointer);
  for (let length = steps.length; tree && length > 0; length -= 1) {
    const node = find(tree, steps.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return 0;
}

function find(tree: Node, steps: readonly string[]): Node | undefined {
  let node: Node | undefined = tree;
  for (const step of steps) {
    if (!node) return undefined;
    node = findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]);
  }
  return node;
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
