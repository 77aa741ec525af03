import { findNodeAtLocation, getNodeValue, parseTree, type Node } from 'jsonc-parser';
import { type Json, type JsonObject, isObject } from '../../engine/core/json.ts';
import { splitPointer } from '../../engine/core/json-pointer.ts';
import type { JsonEdit } from '../../studio/studio-api-types.ts';

export class JsonEditError extends Error {}

/** Applies edits in order. Preserves the formatting of all other values. */
export function applyJsonEdits(text: string, edits: readonly JsonEdit[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const isCrlf = text.includes('\r\n');
  const plain = text.slice(mark.length).replaceAll('\r\n', '\n');
  const edited = edits.reduce(applyJsonEdit, plain);
  return mark + (isCrlf ? edited.replaceAll('\n', '\r\n') : edited);
}

function applyJsonEdit(text: string, { pointer, value, before }: JsonEdit): string {
  if (pointer === '' && value !== undefined) return formatJsonFile(value);
  if (text.trim() === '') return applyJsonEdit(formatJsonFile({}), { pointer, value, before }); // treats an empty file as an empty object
  const tree = parseTree(text);
  if (!tree) throw new JsonEditError('The file is not valid JSON.');
  const steps = splitPointer(pointer);
  const node = findNode(tree, steps);
  if (node) return value === undefined ? removeNode(text, node) : replaceValue(text, node, value);
  if (value === undefined) {
    const container = findNode(tree, steps.slice(0, -1));
    if (container?.type === 'array') throw new JsonEditError(`There is nothing at ${pointer}.`);
    return text;
  }
  // Inserts the value into the nearest existing ancestor, together with the missing ancestors.
  for (let length = steps.length - 1; length >= 0; length -= 1) {
    const container = findNode(tree, steps.slice(0, length));
    if (!container) continue;
    const [key = '', ...rest] = steps.slice(length);
    const wrapped = rest.reduceRight<Json>((inner, step) => wrapValue(step, inner), value);
    return insertValue(text, container, key, wrapped, rest.length === 0 ? before : undefined);
  }
  throw new JsonEditError(`There is no place for ${pointer}.`);
}

/** Wraps a value in its missing parent: an array for an index, an object for a property name. */
function wrapValue(step: string, inner: Json): Json {
  if (step === '-' || step === '0') return [inner];
  if (isArrayIndex(step)) throw new JsonEditError(`There is no list that has a place ${step}.`);
  return { [step]: inner };
}

function findNode(tree: Node, steps: readonly string[]): Node | undefined {
  let node: Node | undefined = tree;
  for (const step of steps) {
    if (!node || (node.type !== 'object' && node.type !== 'array')) return undefined;
    if (node.type === 'array' && !isArrayIndex(step)) return undefined;
    node = findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]);
  }
  return node;
}

function replaceValue(text: string, node: Node, value: Json): string {
  const inline = formatInlineJson(value);
  const start = text.lastIndexOf('\n', node.offset - 1) + 1;
  const end = findLineEnd(text, node.offset + node.length);
  const now = findLineEnd(text, node.offset) - start;
  const width = node.offset - start + inline.length + end - (node.offset + node.length);
  // Writes the value on one line if the line fits the limit, or if the value was on one line and the line does not become longer.
  if (width <= Math.max(lineWidth, isOneLine(text, node) ? now : 0)) return replaceNodeText(text, node, inline);
  const container = node.parent?.type === 'property' ? node.parent.parent : node.parent;
  if (container && isOneLine(text, container))
    return replaceValue(text, container, replaceChild(container, node, value));
  return replaceNodeText(text, node, formatJson(value, readIndent(text, node.offset), width - inline.length));
}

function insertValue(text: string, container: Node, key: string, value: Json, before: string | undefined): string {
  if (container.type !== 'object' && container.type !== 'array')
    throw new JsonEditError(`There is no place for ${key} in a value.`);
  const isArray = container.type === 'array';
  const children = container.children ?? [];
  const next = isArray
    ? children[findStepIndex(children, before ?? key)]
    : children.find(({ children: [name] = [] }) => before !== undefined && name?.value === before);
  if (isOneLine(text, container) || children.length === 0)
    return replaceValue(text, container, insertChild(container, key, value, next));
  const indent = readIndent(text, (children[0] ?? container).offset);
  const start = isArray ? '' : `${JSON.stringify(key)}: `;
  const property = start + formatJson(value, indent, indent.length + start.length + 1);
  if (next) return `${text.slice(0, next.offset)}${property},\n${indent}${text.slice(next.offset)}`;
  const last = children.at(-1) ?? container;
  const end = last.offset + last.length;
  return `${text.slice(0, end)},\n${indent}${property}${text.slice(end)}`;
}

function removeNode(text: string, node: Node): string {
  const part = node.parent?.type === 'property' ? node.parent : node;
  const container = part.parent;
  if (!container) throw new JsonEditError('A file cannot lose all that it holds.');
  const siblings = container.children ?? [];
  const index = siblings.indexOf(part);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  if (next) return text.slice(0, part.offset) + text.slice(next.offset);
  const end = part.offset + part.length;
  if (previous) return text.slice(0, previous.offset + previous.length) + text.slice(end);
  return replaceNodeText(text, container, container.type === 'array' ? '[]' : '{}');
}

function replaceChild(container: Node, part: Node, value: Json): Json {
  const own = readValue(container);
  if (Array.isArray(own)) return own.map((item: Json, at) => (container.children?.[at] === part ? value : item));
  return { ...(own as JsonObject), [String(part.parent?.children?.[0]?.value)]: value };
}

function insertChild(container: Node, key: string, value: Json, next: Node | undefined): Json {
  const children = container.children ?? [];
  const index = next ? children.indexOf(next) : children.length;
  const own = readValue(container);
  if (Array.isArray(own)) return own.toSpliced(index, 0, value);
  return Object.fromEntries(Object.entries(own as JsonObject).toSpliced(index, 0, [key, value]));
}

function readValue(node: Node): Json {
  return getNodeValue(node) as Json; // `getNodeValue` returns `any`, but always plain JSON
}

function findStepIndex(children: readonly Node[], step: string): number {
  if (step === '-') return children.length;
  if (!isArrayIndex(step) || Number(step) > children.length) throw new JsonEditError(`The list has no place ${step}.`);
  return Number(step);
}

function isArrayIndex(step: string): boolean {
  return /^(0|[1-9]\d*)$/.test(step);
}

function replaceNodeText(text: string, node: Node, written: string): string {
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

function isOneLine(text: string, { offset, length }: Node): boolean {
  return !text.slice(offset, offset + length).includes('\n');
}

function findLineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function readIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

const lineWidth = 120;

function formatInlineJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => formatInlineJson(item)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value as Record<string, Json>).map(
    ([key, own]) => `${JSON.stringify(key)}: ${formatInlineJson(own)}`,
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** Writes a value on one line if it fits after `taken` characters. Otherwise each child is on a separate line, indented below `indent`. */
function formatJson(value: Json, indent: string, taken: number): string {
  const inline = formatInlineJson(value);
  if (taken + inline.length <= lineWidth || typeof value !== 'object' || value === null) return inline;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item: Json) => inner + formatJson(item, inner, inner.length + 1))
    : Object.entries(value as Record<string, Json>).map(([key, own]) => {
        const start = `${inner}${JSON.stringify(key)}: `;
        return start + formatJson(own, inner, start.length + 1);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open ?? ''}\n${lines.join(',\n')}\n${indent}${close ?? ''}`;
}

function formatJsonFile(value: Json): string {
  return `${formatJson(value, '', 0)}\n`;
}
