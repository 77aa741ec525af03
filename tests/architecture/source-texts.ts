import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

export const root = resolve(import.meta.dirname, '../..');

/** A text in a source file: a string, a part of a template, or JSX text. */
export interface SourceText {
  /** Path relative to the project's folder. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Returns the sorted paths of all files below `folder` that match `matches`. */
export function listFiles(folder: string, matches: RegExp): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => `${folder}/${name}`)
    .filter((name) => matches.test(name))
    .sort();
}

export function listSources(folder: string): readonly string[] {
  return listFiles(folder, /\.tsx?$/).filter((file) => !/\.test\.tsx?$/.test(file));
}

const known = new Map<string, readonly SourceText[]>();

/** Returns all texts of a source file except import specifiers. Cached, because several tests read the same file. */
export function readTexts(file: string): readonly SourceText[] {
  const texts = known.get(file) ?? parseTexts(file, readFileSync(join(root, file), 'utf8'));
  known.set(file, texts);
  return texts;
}

/** Returns all texts of a source except the file names that it imports. */
export function parseTexts(file: string, source: string): readonly SourceText[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const found: SourceText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      if (node.text.trim() !== '') found.push({ file, line, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
