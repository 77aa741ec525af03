import { fromMarkdown } from 'mdast-util-from-markdown';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatCodeSpan, formatReviewComment } from '../../src/cli/definitions/diff.ts';
import type { DefinitionChange } from '../../src/engine/compiler/compare/compare-definitions.ts';
import { isObject } from '../../src/engine/core/json.ts';
import { root } from '../architecture/source-texts.ts';

const change = (breaking: boolean, where: string, es: string): DefinitionChange => ({
  breaking,
  where,
  text: { en: es, es },
});
const problem = { file: 'flows/main.json', line: 3, column: 5, pointer: '/on', message: 'Falta.', hint: 'Agregalo.' };

/** Returns the types of the nodes in a Markdown text, except the root. */
function kindsIn(text: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  const visit = (node: object): void => {
    if ('type' in node) kinds.add(String(node.type));
    if ('children' in node && Array.isArray(node.children)) for (const child of node.children as object[]) visit(child);
  };
  visit(fromMarkdown(text));
  return kinds;
}

/** Returns the text of a Markdown document outside its code spans. */
function wordsIn(text: string): string {
  const words: string[] = [];
  const visit = (node: object): void => {
    if ('type' in node && node.type === 'text' && 'value' in node) words.push(String(node.value));
    if ('children' in node && Array.isArray(node.children)) for (const child of node.children as object[]) visit(child);
  };
  visit(fromMarkdown(text));
  return words.join('\n');
}

const own = ['code', 'heading', 'inlineCode', 'list', 'listItem', 'paragraph', 'root', 'text'];
const hostile = [
  '@octocat',
  '@org/team',
  'fixes #1',
  '![x](https://evil.example/x.png)',
  '[Aprobado](https://evil.example)',
  '<img src=x onerror=alert(1)>',
  '<!-- -->',
  '</details><script>',
  'https://evil.example',
  'www.evil.example',
  '`@octocat`',
  '`` ` ``` @octocat',
  '`',
  '``` `` `',
  '\\`@octocat',
  '$`x`$',
  'uno\n\n# dos\n@octocat',
  'uno\r\n- [x] dos',
  'uno\u2028# dos',
  'uno\u202Eetnemlagel',
  '| a | b |\n|---|---|',
  '~~~\n@octocat',
  '&#64;octocat',
  '*a* _b_ **c**',
  '',
  ' ',
];

const headings = `Cambio de pantallas y recorridos
Rompe algo de lo que había (1)
: 
No rompe nada (1)
: 
Pantallas que cambian (1)
Hallazgos del corrector (1)`;

describe('[EST-20] review comment of a change', () => {
  test('lists breaking changes first, then the other changes, the screens and the findings', () => {
    const changes = [change(false, 'contacto', 'título: "a" → "b"'), change(true, 'login', 'el campo "x" no está más')];
    expect(formatReviewComment({ changes, screens: ['contacto', 'login'] }, [problem], 'es'))
      .toBe(`## Cambio de pantallas y recorridos

### Rompe algo de lo que había (1)

- \`login\`: \`el campo "x" no está más\`

### No rompe nada (1)

- \`contacto\`: \`título: "a" → "b"\`

### Pantallas que cambian (2)

- \`contacto\`
- \`login\`

### Hallazgos del corrector (1)

- \`flows/main.json:3:5 /on Falta. Agregalo.\`
`);
    expect(formatReviewComment({ changes: [], screens: [] }, [], 'en')).toBe(`## Change of screens and flows

Nothing changed.

The checker finds nothing.
`);
  });

  test.each(hostile)('shows a text literally, without Markdown or HTML effects: %j', (text) => {
    const comment = formatReviewComment(
      { changes: [change(true, text, text), change(false, 'a', `antes ${text} después`)], screens: [text] },
      [{ ...problem, message: text, hint: text }],
      'es',
    );
    expect([...kindsIn(comment)].filter((kind) => !own.includes(kind))).toEqual([]);
    expect(comment.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(5);
    expect(wordsIn(comment), 'all other texts are quoted').toBe(headings);
    expect(comment).not.toMatch(/[\u2028\u202E\r]/);
  });

  test('quotes backticks in a text completely', () => {
    expect(formatCodeSpan('a `` b')).toBe('``` a `` b ```');
    expect(formatCodeSpan('`')).toBe('`` ` ``');
  });

  test('truncates a large change to the maximum length of a comment', () => {
    const changes = Array.from({ length: 3_000 }, (_, index) =>
      change(index % 2 === 0, 'x'.repeat(400), '`'.repeat(400)),
    );
    const screens = changes.map((_, index) => `pantalla-${index}`);
    const comment = formatReviewComment(
      { changes, screens },
      Array.from({ length: 500 }, () => problem),
      'es',
    );
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toContain('(1500)');
    expect(comment).toMatch(/- \d+ más\n/);
  });
});

describe('[EST-20] review workflow', () => {
  const text = readFileSync(join(root, '.github/workflows/review.yml'), 'utf8');
  const workflow = parse(text) as {
    readonly on: object;
    readonly permissions: object;
    readonly jobs: Readonly<Record<string, { readonly permissions: object; readonly steps: readonly object[] }>>;
  };

  test('runs the code of the branch without write permission or credentials', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request']);
    expect(workflow.permissions).toEqual({});
    const { compare, comment } = workflow.jobs;
    expect(Object.keys(workflow.jobs)).toEqual(['compare', 'comment']);
    expect(compare?.permissions).toEqual({ contents: 'read' });
    expect(comment?.permissions).toEqual({ 'pull-requests': 'write' });
    expect(comment?.steps.some((step) => 'uses' in step)).toBe(false);
    expect(compare?.steps[0]).toMatchObject({ with: { 'persist-credentials': false } });
  });

  test('inserts no expression into its scripts', () => {
    const scripts = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.flatMap((step) => (isObject(step) && 'run' in step ? [String(step['run'])] : [])),
    );
    expect(scripts).toHaveLength(3);
    for (const script of scripts) expect(script).not.toContain('${{');
  });
});
