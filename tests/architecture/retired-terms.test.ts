import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root, listSources } from './source-texts.ts';

const sources = [...listSources('src'), ...listSources('plugins')].map((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest) };
});

/** Returns the lines of comments, each with its file. */
function listCommentLines({ file, text }: (typeof sources)[number]): readonly string[] {
  const lines = text
    .split('\n')
    .flatMap((line) => /^\s*(?:\/\*\*|\*(?:\s|$)).*|(?<=^|\s)\/\/ .*/.exec(line)?.[0] ?? []);
  return lines.map((line) => `${file}: ${line.trim()}`);
}

/** Returns the names of the functions, types and classes that a source declares. */
function listDeclaredNames({ tree }: (typeof sources)[number]): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isFunction =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer));
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    if ((isFunction || isType) && node.name && ts.isIdentifier(node.name)) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names;
}

test('source comments contain no retired phrase', () => {
  const retired =
    /\* What |\/\/ What |\bAnswers\b|(?<!`)\balone\b|\banew\b|; null\b|\bCallError\b|\bas it stands\b|\b(?:whoever|what is (?:typed|asked|told|said))\b/;
  expect(sources.flatMap(listCommentLines).filter((line) => retired.test(line))).toEqual([]);
});

test('functions and types have no retired name pattern, and at most 80 names end in Of', () => {
  const names = sources.flatMap(listDeclaredNames);
  expect(names.filter((name) => /^(?:Given|Told)$|Needs$|^of[A-Z]/.test(name))).toEqual([]);
  expect(names.filter((name) => /[a-z]Of$/.test(name)).length, 'number of plain lookups').toBeLessThanOrEqual(80);
});
