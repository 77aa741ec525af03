import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPlugins } from '../../src/engine/compiler/files/plugins.ts';
import { Problems } from '../../src/engine/compiler/sources/source-file.ts';
import { evaluate } from '../../src/engine/core/logic.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'plugins-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** What is wrong with a set of plugins whose files are these, by path. */
const problemsOf = async (files: Readonly<Record<string, string>>) => {
  await rm(join(root, 'plugins'), { recursive: true, force: true });
  for (const [path, code] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'plugins', path)), { recursive: true });
    await writeFile(join(root, 'plugins', path), code);
  }
  const problems = new Problems();
  await readPlugins(root, () => Promise.resolve(null), problems);
  return problems.list;
};

describe('[ENG-02] the code of plugins', () => {
  test('an operator is read again after an edit of it', async () => {
    const shouting = (sign: string) => ({ 'loud/rule.ts': `export const operators = { yell: (t) => t + '${sign}' };` });
    expect(await problemsOf(shouting('!'))).toEqual([]);
    expect(evaluate({ yell: ['hola'] }, {})).toBe('hola!');
    expect(await problemsOf(shouting('?'))).toEqual([]);
    expect(evaluate({ yell: ['hola'] }, {})).toBe('hola?');
  });

  test.each([
    ['another plugin', 'whisper', 'The operator "whisper" is also brought by plugins/first.'],
    ['JSON-logic', 'cat', 'The operator "cat" is also one of JSON-logic.'],
  ])('[ANA-02] an operator that %s brings is refused', async (_, name, message) => {
    const code = `export const operators = { '${name}': () => 'mine' };`;
    const first = name === 'cat' ? '' : code;
    expect(await problemsOf({ 'first/rule.ts': first, 'second/rule.ts': code })).toMatchObject([
      { file: 'plugins/second/rule.ts', message },
    ]);
    expect(evaluate({ cat: ['a', 'b'] }, {})).toBe('ab');
  });

  test('[ANA-02] a mistake in a file beside the rule is told there', async () => {
    const files = { 'loud/rule.ts': "import './parts/signs.ts';\n", 'loud/parts/signs.ts': '\n\nexport const = 1;\n' };
    expect(await problemsOf(files)).toMatchObject([
      {
        file: 'plugins/loud/parts/signs.ts',
        line: 3,
        column: 14,
        message: expect.stringMatching(/^The rule cannot be loaded: Expected/) as string,
      },
    ]);
  });
});
