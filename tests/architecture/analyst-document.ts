import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-texts.ts';

/** A row of a table: the heading of its first column, its first cell, and the others. */
type Row = readonly [kind: string, cell: string, rest: readonly string[]];

/**
 * A document for analysts. Its entries are the code spans in the first column of each table, by the heading of that column, and those in headings.
 */
export class AnalystDocument {
  readonly path: string;
  readonly text: string;
  /** The text outside of code blocks. */
  readonly prose: string;

  constructor(path: string) {
    this.path = path;
    this.text = readFileSync(join(root, path), 'utf8');
    this.prose = this.text.replaceAll(/^```.*?^```$/gms, '');
  }

  /** Entries of these kinds. */
  entries(...kinds: readonly string[]): readonly string[] {
    return this.rows.flatMap(([kind, cell]) => (kinds.includes(kind) ? codesIn(cell) : []));
  }

  /** Kind, first cell and other cells of each entry. */
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

  /** Complete files of the examples by path: JSON blocks below a line that is only the path. */
  get files(): ReadonlyMap<string, string> {
    const found = this.text.matchAll(/^`([\w./-]+)`\n\n```json\n(.*?)^```$/gms);
    return new Map([...found].map(([, path = '', content = '']) => [path, content]));
  }

  /** Every JSON value in the document: code blocks, and code spans that begin like JSON. */
  get pieces(): readonly string[] {
    const blocks = [...this.text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, content = '']) => content);
    return [...blocks, ...codesIn(this.prose).filter((code) => /^(?!\{\w+\}$)["{[]/.test(code) && !code.includes('…'))];
  }
}

/** Extracts the code spans of a Markdown text. */
export function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Reference of screens and of the checker. */
export const screensDocument = new AnalystDocument('schemas/README.md');

/** Reference of flows. */
export const flowsDocument = new AnalystDocument('flows/README.md');

export const documents = [screensDocument, flowsDocument];
