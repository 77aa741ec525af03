import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-texts.ts';

/** Row of a table: the heading of the first column, the first cell, and the other cells. */
type Row = readonly [kind: string, cell: string, rest: readonly string[]];

/**
 * A document for analysts. Its entries are the code spans in headings and in the first column of each table. The kind of an entry is the heading
 * of its column.
 */
export class AnalystDocument {
  readonly path: string;
  readonly text: string;
  /** Text of the document outside code blocks. */
  readonly prose: string;

  constructor(path: string) {
    this.path = path;
    this.text = readFileSync(join(root, path), 'utf8');
    this.prose = this.text.replaceAll(/^```.*?^```$/gms, '');
  }

  entries(...kinds: readonly string[]): readonly string[] {
    return this.rows.flatMap(([kind, cell]) => (kinds.includes(kind) ? listCodeSpans(cell) : []));
  }

  /** Kind, first cell and other cells of each table row. */
  get rows(): readonly Row[] {
    let kind = '';
    const lines = this.prose.split('\n');
    return lines.flatMap((line, index): readonly Row[] => {
      if (line.startsWith('#### ')) return [['Palabra', line, []]];
      const [, first = '', ...rest] = line.startsWith('|') ? line.split(/ *\| */) : [];
      if (/^\|[ -]+\|/.test(lines[index + 1] ?? '')) kind = first;
      else if (first !== '' && !first.startsWith('---')) return [[kind, first, rest]];
      return [];
    });
  }

  /** Says which rows a table with one of these headings lacks. */
  describeMissingRows(...kinds: readonly string[]): string {
    const lines = this.prose.split('\n');
    let section = '';
    const sections = new Set<string>();
    for (const line of lines) {
      if (/^#{2,3} /.test(line)) section = line.replace(/^#+ /, '');
      if (kinds.some((kind) => line.startsWith(`| ${kind} |`))) sections.add(section);
    }
    return `${this.path} lacks a row for each of these words, in a table "${kinds.join('" or "')}" of: ${[...sections].join(', ')}`;
  }

  /** Example files by path: JSON blocks that follow a line with only the path. */
  get files(): ReadonlyMap<string, string> {
    const found = this.text.matchAll(/^`([\w./-]+)`\n\n```json\n(.*?)^```$/gms);
    return new Map([...found].map(([, path = '', content = '']) => [path, content]));
  }

  /** All JSON values in the document: code blocks, and code spans that look like JSON. */
  get pieces(): readonly string[] {
    const blocks = [...this.text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, content = '']) => content);
    return [
      ...blocks,
      ...listCodeSpans(this.prose).filter((code) => /^(?!\{\w+\}$)["{[]/.test(code) && !code.includes('…')),
    ];
  }
}

export function listCodeSpans(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

export const screensDocument = new AnalystDocument('schemas/README.md');

export const flowsDocument = new AnalystDocument('flows/README.md');

export const analystDocuments = [screensDocument, flowsDocument];
