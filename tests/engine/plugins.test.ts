import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportUnknownKeyword } from '../../src/engine/compiler/check/schema/rule-keywords.ts';
import { readPlugins } from '../../src/engine/compiler/files/read-plugins.ts';
import { DefinitionLoadCache, type StoredCacheResults } from '../../src/engine/compiler/sources/load-cache.ts';
import { readSourceFile } from '../../src/engine/compiler/sources/read-source.ts';
import { ProblemCollector } from '../../src/engine/compiler/sources/problem-collector.ts';
import { evaluateJsonLogic } from '../../src/engine/core/json-logic.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'plugins-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Returns the problems of plugins with these files. */
const problemsOf = async (files: Readonly<Record<string, string>>, cache = new DefinitionLoadCache()) => {
  await rm(join(root, 'plugins'), { recursive: true, force: true });
  for (const [path, code] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'plugins', path)), { recursive: true });
    await writeFile(join(root, 'plugins', path), code);
  }
  const problems = new ProblemCollector();
  await readPlugins(root, (path) => readSourceFile(root, path, problems), problems, cache);
  return problems.list;
};

describe('[ENG-02] compiler checks of plugin code', () => {
  test.each([
    ['its rule.ts', (sign: string) => ({ 'loud/rule.ts': `export const operators = { yell: (t) => t + '${sign}' };` })],
    [
      'an imported file',
      (sign: string) => ({
        'loud/rule.ts': "import { sign } from './sign.json';\nexport const operators = { yell: (t) => t + sign };",
        'loud/sign.json': JSON.stringify({ sign }),
      }),
    ],
  ])('install the new version of an operator after an edit of %s', async (_, shouting) => {
    expect(await problemsOf(shouting('!'))).toEqual([]);
    expect(evaluateJsonLogic({ yell: ['hola'] }, {})).toBe('hola!');
    expect(await problemsOf(shouting('?'))).toEqual([]);
    expect(evaluateJsonLogic({ yell: ['hola'] }, {})).toBe('hola?');
  });

  test('bundle a plugin again in another process after an edit of a file elsewhere, of an import or of the packages', async () => {
    const stored: StoredCacheResults = new Map();
    const widget = "import { sign } from '../../sign.tsx';\nexport default () => sign;";
    const rule =
      "import 'left';\nimport { sign } from '../../sign.tsx';\nexport const operators = { yell: (t) => t + sign };";
    const check = async (files: Readonly<Record<string, string>>) => {
      await rm(join(root, 'sign.tsx'), { force: true });
      for (const [path, code] of Object.entries(files)) await writeFile(join(root, path), code);
      return problemsOf({ 'loud/rule.ts': rule, 'loud/widget.tsx': widget }, new DefinitionLoadCache(stored));
    };
    const listed = JSON.stringify({ dependencies: { left: '1' } });
    await mkdir(join(root, 'node_modules/left'), { recursive: true });
    await writeFile(join(root, 'node_modules/left/index.js'), '');
    expect(await check({ 'package.json': listed, 'sign.tsx': "export const sign = '!';" })).toEqual([]);
    expect(evaluateJsonLogic({ yell: ['hola'] }, {})).toBe('hola!');
    expect(await check({ 'sign.tsx': "export const sign = '?';" })).toEqual([]);
    expect(evaluateJsonLogic({ yell: ['hola'] }, {})).toBe('hola?');
    expect(await check({ 'package.json': '{}', 'sign.tsx': "export const sign = '?';" })).toMatchObject([
      { file: 'plugins/loud/rule.ts', message: '"left" is not a package of the project.' },
    ]);
    expect((await check({ 'package.json': listed })).map(({ file }) => file).sort()).toEqual([
      'plugins/loud/rule.ts',
      'plugins/loud/widget.tsx',
    ]);
    await rm(join(root, 'package.json'));
  });

  test.each([
    ['another plugin', 'whisper', 'The operator "whisper" is also defined by plugins/first.'],
    ['JSON-logic', 'cat', 'The operator "cat" is also one of JSON-logic.'],
  ])('[ANA-02] reject an operator that exists already in %s', async (_, name, message) => {
    const code = `export const operators = { '${name}': () => 'mine' };`;
    const first: Readonly<Record<string, string>> = name === 'cat' ? {} : { 'first/rule.ts': code };
    expect(await problemsOf({ ...first, 'second/rule.ts': code })).toMatchObject([
      { file: 'plugins/second/rule.ts', message },
    ]);
    expect(evaluateJsonLogic({ cat: ['a', 'b'] }, {})).toBe('ab');
  });

  test.each([
    ['another plugin', 'shiny', 'The format "shiny" is also defined by plugins/first.'],
    ['JSON Schema', 'email', 'The format "email" is also one of JSON Schema.'],
  ])('[ANA-02] reject a format that exists already in %s', async (_, name, message) => {
    const code = `export const formats = { '${name}': (text) => text === 'a' };`;
    const first: Readonly<Record<string, string>> = name === 'email' ? {} : { 'first/rule.ts': code };
    expect(await problemsOf({ ...first, 'second/rule.ts': code })).toMatchObject([
      { file: 'plugins/second/rule.ts', message },
    ]);
  });

  const rule = (check: string, keyword = 'tidy') =>
    `export const rules = [{ keyword: '${keyword}', level: 'field', types: ['string'], parameters: { const: true }, check: ${check} }];`;

  test.each([
    ['exports nothing', 'const unused = 1;', /^rule.ts exports none of "rules"/],
    [
      'exports a rule instead of a list',
      "export const rules = { keyword: 'tidy' };",
      /^rule.ts exports none of "rules"/,
    ],
    [
      'lacks a check',
      "export const rules = [{ keyword: 'tidy', level: 'field', parameters: {} }];",
      'The rule "tidy" has no valid "check".',
    ],
    [
      'misspells a key of its rule',
      "export const rules = [{ keyword: 'tidy', level: 'field', types: ['string'], paramters: {}, check: () => null }];",
      'The rule "tidy" has an unknown key "paramters".',
    ],
    [
      'declares no types for its rule',
      "export const rules = [{ keyword: 'tidy', level: 'field', parameters: {}, check: () => null }];",
      'The rule "tidy" does not declare the field types that it applies to.',
    ],
    [
      'declares an unknown type for its rule',
      "export const rules = [{ keyword: 'tidy', level: 'field', types: ['text'], parameters: {}, check: () => null }];",
      'The rule "tidy" does not declare the field types that it applies to.',
    ],
    ['uses a keyword of JSON Schema', rule('() => null', 'pattern'), 'The keyword "pattern" is one of JSON Schema.'],
    [
      'mutates the checked value',
      rule('({ value }) => { if (Array.isArray(value)) value.push("b"); return null; }'),
      /^"tidy": it modifies its input \[\]/,
    ],
    [
      'has an operator that mutates its argument',
      'export const operators = { last: (list) => (Array.isArray(list) ? list.pop() : null) };',
      /^"last": it modifies its input \["a"\]/,
    ],
    [
      'throws for a value that is not a string',
      rule('({ value }) => value.trim() ? null : {}'),
      /^"tidy": it throws for 0 \(TypeError/,
    ],
    [
      'reads a fact that may be missing',
      rule('({ context }) => context.user.id ? {} : null'),
      /^"tidy": it throws for ""/,
    ],
    ['returns a promise', rule('async () => null'), '"tidy": it returns a promise for "", but must be synchronous.'],
    [
      'returns a rejected promise',
      rule('async () => { throw new Error(); }'),
      '"tidy": it returns a promise for "", but must be synchronous.',
    ],
    [
      'throws in "reads"',
      "export const rules = [{ keyword: 'tidy', level: 'field', types: ['string'], parameters: {}, reads: (given) => given.lost.names, check: () => null }];",
      /^"tidy": it throws \(TypeError/,
    ],
    [
      'throws for a long text',
      rule('({ value }) => { if (String(value).length > 900) throw new Error(); return null; }'),
      '"tidy": it throws (Error).',
    ],
    [
      'returns random results',
      rule('() => ({ values: { lot: Math.random() } })'),
      '"tidy": it returns different results when called twice with "".',
    ],
    [
      'reads the clock',
      rule('({ value }) => (String(value).length > new Date().getFullYear() ? {} : null)'),
      /^"tidy": it calls Date for ""/,
    ],
    ['calls Date.now', rule('({ value }) => (value === Date.now() ? {} : null)'), /^"tidy": it calls Date for ""/],
    [
      'calls Math.random without effect',
      rule('() => (Math.random() > 2 ? {} : null)'),
      /^"tidy": it calls Math.random for ""/,
    ],
    [
      'reads an undeclared field',
      rule('({ value, form }) => (value === form.email ? {} : null)'),
      /^"tidy": it reads the field "email", which "reads" does not list/,
    ],
    [
      'reads an undeclared fact',
      rule('({ value, context }) => (value === context.product ? {} : null)'),
      '"tidy": it reads the fact "product", which "facts" does not list: the server does not provide it.',
    ],
    [
      'tests a pattern with the flag g',
      'const shape = /^[A-Z]+$/g;\nexport const formats = { tidy: (text) => shape.test(text) };',
      /^"tidy": it tests a pattern with the flag g or y/,
    ],
    ['returns true', rule('() => true'), '"tidy": it returns true, not null or { "reason", "values" }.'],
    [
      'imports Node.js',
      `import { EOL } from 'node:os';\n${rule('() => (EOL ? null : {})')}`,
      'The rule imports "node:os", which browsers do not have.',
    ],
    [
      'takes exponential time',
      rule('({ value }) => (/^(a+)+$/.test(value) ? {} : null)'),
      /^"tidy": it takes \d+ ms for a text of \d\d characters\.$/,
    ],
    [
      'has a format that does not return a boolean',
      "export const formats = { tidy: (text) => text.length || 'no' };",
      '"tidy": it returns 1, not true or false.',
    ],
    [
      'has an operator that throws',
      'export const operators = { tidy: (text) => text.trim() };',
      /^"tidy": it throws for 0/,
    ],
    [
      'has an operator that adds numbers but joins strings',
      'export const operators = { tidy: (a, b) => a + b };',
      /^"tidy": it returns the sum of 4, 7, 20 as 11, but returns "47" for \["4",7,20\]: .*Number\(…\)\.$/,
    ],
    [
      'has an operator that adds a list with strings',
      'export const operators = { tidy: (...all) => all.reduce((a, b) => a + b) };',
      /^"tidy": it returns the sum of 4, 7, 20 as 31, but returns "4720" for/,
    ],
    [
      'has an operator that adds one to a string',
      'export const operators = { tidy: (a) => a + 1 };',
      /^"tidy": it returns the sum of 4, 7, 20 as 5, but returns "41" for/,
    ],
  ])('[ANA-02][SEG-04] reject a plugin that %s', async (_, code, message) => {
    const expected = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    const found = await problemsOf({ 'tidy/rule.ts': code });
    expect(found.map(({ message }) => message)).toEqual([expected]);
    expect(found[0]?.file).toBe('plugins/tidy/rule.ts');
  });

  test('[ANA-02] report only the cause for a plugin with texts and titles whose rule.ts cannot be loaded', async () => {
    const found = await problemsOf({
      'tidy/rule.ts': `import { EOL } from 'node:os';\n${rule('() => (EOL ? null : {})')}`,
      'tidy/texts.json': JSON.stringify({ es: { tidy: 'Ordenalo.' } }),
      'tidy/titles.json': JSON.stringify({ tidy: 'Está ordenado' }),
    });
    expect(found.map(({ message }) => message)).toEqual(['The rule imports "node:os", which browsers do not have.']);
  });

  test.each([
    [
      'is not reported as unknown if rule.ts of a plugin cannot be loaded',
      "import { EOL } from 'node:os';\nvoid EOL;\n",
      0,
    ],
    ['is reported as unknown if all plugins are loaded', '', 1],
  ])('[ANA-02] keyword of no plugin %s', async (_, broken, count) => {
    await problemsOf({ 'tidy/rule.ts': `${broken}${rule('() => null')}` });
    const index = await readPlugins(
      root,
      (path) => readSourceFile(root, path, new ProblemCollector()),
      new ProblemCollector(),
    );
    const found: unknown[] = [];
    reportUnknownKeyword(() => (problem) => found.push(problem), '/properties/a/other', 'other', index);
    expect(found).toHaveLength(count);
  });

  test.each([
    [
      'declares the field that it reads',
      "({ value, form }) => (value === form.email ? {} : null), reads: () => ['email']",
    ],
    [
      'declares the fact that it reads',
      "({ value, context }) => (value === context.product ? {} : null), facts: () => ['product']",
    ],
    ['accepts nearly every value', "({ value }) => (String(value).replace(/a/g, '') === 'zz' ? {} : null)"],
    ['parses its value as a date', '({ value }) => (Number.isNaN(new Date(String(value)).getTime()) ? {} : null)'],
  ])('[ANA-02] accept a rule that %s', async (_, check) => {
    expect(await problemsOf({ 'tidy/rule.ts': rule(check) })).toEqual([]);
  });

  test.each([
    ['converts its arguments to numbers', '(a, b) => Number(a) + Number(b)'],
    ['joins its arguments', '(...all) => all.join("")'],
    ['multiplies', '(a, b) => a * b'],
    ['returns one of its arguments', '(a, b) => (a > b ? a : b)'],
    ['adds numbers and appends a sign to strings', "(a) => (typeof a === 'number' ? a + 1 : `${a}!`)"],
  ])('[ANA-02] accept an operator that %s', async (_, operator) => {
    expect(await problemsOf({ 'tidy/rule.ts': `export const operators = { tidy: ${operator} };` })).toEqual([]);
  });

  test.each([
    ['rules.ts', 'plugins/tidy/rules.ts', /^Rename rules\.ts to rule\.ts/],
    ['README.md', 'plugins/tidy/README.md', /^Write one of them/],
  ])('[ANA-02] report a folder that has only %s', async (name, file, hint) => {
    const [found] = await problemsOf({ [`tidy/${name}`]: 'export const rules = [];' });
    expect(found).toMatchObject({
      file,
      message: 'plugins/tidy has neither rule.ts nor widget.tsx: the portal ignores it.',
    });
    expect(found?.hint).toMatch(hint);
  });

  test('[ANA-02] report a message with a placeholder that its rule does not provide, until it is fixed', async () => {
    const code = rule("() => ({ reason: 'long', values: { most: 3 } })");
    const withText = (text: string) => ({
      'tidy/rule.ts': code,
      'tidy/texts.json': JSON.stringify({ es: { 'tidy.long': text } }),
    });
    expect(await problemsOf(withText('Hasta {limit} letras.'))).toMatchObject([
      { message: '"tidy": its message "tidy.long" uses {limit}, which "values" does not contain.' },
    ]);
    expect(await problemsOf(withText('Hasta {most} letras.'))).toEqual([]);
  });

  test('[PLUG-02] report a message that lacks a language or belongs to no rule of its plugin', async () => {
    const texts = (es: object, pt: object) => JSON.stringify({ es, pt });
    const both = {
      'tidy/rule.ts': rule(`({ value }) => (value === 'zz' ? { reason: 'long' } : null)`),
      'other/rule.ts': rule('() => null', 'other'),
    };
    const others = { 'other/texts.json': texts({ other: 'Otra' }, { other: 'Outra' }) };
    const found = await problemsOf({
      ...both,
      ...others,
      'tidy/texts.json': JSON.stringify({ es: { tidy: 'A', tidi: 'B' } }),
    });
    expect(found.map(({ file, pointer, message }) => [file, pointer, message])).toEqual([
      ['plugins/tidy/texts.json', '/pt', '"tidy" has no text in "pt".'],
      ['plugins/tidy/texts.json', '/pt', '"tidi" has no text in "pt".'],
      ['plugins/tidy/texts.json', '/es/tidi', '"tidi" is not a rule of this plugin.'],
    ]);
    expect(
      await problemsOf({ ...both, ...others, 'tidy/texts.json': texts({ 'tidy.long': 'A' }, { 'tidy.long': 'B' }) }),
    ).toEqual([]);
  });

  test.each([
    ['has a syntax error', 'export default () => <p>;', 1, /^The widget cannot be loaded: /],
    ['imports Node.js', "\nimport { EOL } from 'node:os';\nexport default () => <p>{EOL}</p>;", 2, /"node:os"/],
    ['has no default export', 'export const Own = () => <p />;', 1, 'The widget has no default export.'],
  ])('[PLUG-02] reject a widget that %s', async (_, code, line, message) => {
    const found = await problemsOf({ 'own/widget.tsx': code });
    expect(found).toMatchObject([{ file: 'plugins/own/widget.tsx', line }]);
    expect(found[0]?.message).toMatch(message);
    expect(await problemsOf({ 'own/widget.tsx': 'const Own = () => <p />;\nexport { Own as default };' })).toEqual([]);
  });

  const bounded = (parameters: string) => rule('() => null').replace('{ const: true }', parameters);
  const widget = (code: string) => ({ 'own/widget.tsx': `export default ({ t, value }) => ${code};` });
  const texts = (es: object, pt: object) => JSON.stringify({ es, pt });
  const capitals = 'export const formats = { tidy: (text) => /^[A-Z]+$/.test(text) };';
  const told = '({ value }) => (value === "z" ? { reason: "short" } : null)';

  test.each<
    [
      what: string,
      wrong: Readonly<Record<string, string>>,
      file: string,
      says: RegExp,
      right: Readonly<Record<string, string>>,
    ]
  >([
    [
      'allows unknown parameters',
      { 'tidy/rule.ts': bounded('{ type: "object", properties: { most: { type: "integer" } } }') },
      'tidy/rule.ts',
      /add "additionalProperties": false/,
      {
        'tidy/rule.ts': bounded(
          '{ type: "object", properties: { most: { type: "integer" } }, additionalProperties: false }',
        ),
      },
    ],
    [
      'requires an undeclared parameter',
      {
        'tidy/rule.ts': bounded(
          '{ type: "object", required: ["mst"], properties: { most: {} }, additionalProperties: false }',
        ),
      },
      'tidy/rule.ts',
      /requires "mst"/,
      {
        'tidy/rule.ts': bounded(
          '{ type: "object", required: ["most"], properties: { most: {} }, additionalProperties: false }',
        ),
      },
    ],
    [
      'has parameters of an unknown type',
      { 'tidy/rule.ts': bounded('{ type: "strng" }') },
      'tidy/rule.ts',
      /type "strng"/,
      { 'tidy/rule.ts': bounded('{ type: "string" }') },
    ],
    [
      'has an invalid parameter schema',
      { 'tidy/rule.ts': bounded('{ type: "string", pattern: "(" }') },
      'tidy/rule.ts',
      /not a valid JSON Schema/,
      { 'tidy/rule.ts': bounded('{ type: "string", pattern: "a" }') },
    ],
    [
      'writes its keyword with a hyphen',
      { 'tidy/rule.ts': rule('() => null', 'no-word') },
      'tidy/rule.ts',
      /"no-word" does not follow the naming/,
      { 'tidy/rule.ts': rule('() => null', 'noWord') },
    ],
    [
      'returns a string from "reads"',
      { 'tidy/rule.ts': rule('() => null, reads: () => "email"') },
      'tidy/rule.ts',
      /"reads" does not return a list of names/,
      { 'tidy/rule.ts': rule('() => null, reads: () => ["email"]') },
    ],
    [
      'has a format that accepts every text',
      { 'tidy/rule.ts': 'export const formats = { tidy: (text) => /[A-Z]*/.test(text) };' },
      'tidy/rule.ts',
      /accepts any text/,
      { 'tidy/rule.ts': 'export const formats = { tidy: (text) => /^[A-Z]+$/.test(text) };' },
    ],
    [
      'reads the environment',
      { 'tidy/rule.ts': rule('({ value }) => (value === process.env.SECRET ? {} : null)') },
      'tidy/rule.ts',
      /uses "process"/,
      { 'tidy/rule.ts': `// never process.env\n${rule("({ value }) => (value === 'process.env' ? {} : null)")}` },
    ],
    [
      'uses the network',
      { 'tidy/rule.ts': rule('({ value }) => { if (value === "zz") fetch("/x"); return null; }') },
      'tidy/rule.ts',
      /uses "fetch"/,
      { 'tidy/rule.ts': `const fetch = () => null;\n${rule('() => fetch()')}` },
    ],
    [
      'has a message for a reason that it never gives',
      { 'tidy/rule.ts': rule(told), 'tidy/texts.json': texts({ 'tidy.long': 'A' }, { 'tidy.long': 'B' }) },
      'tidy/texts.json',
      /never returns the reason "long"/,
      { 'tidy/rule.ts': rule(told), 'tidy/texts.json': texts({ 'tidy.short': 'A' }, { 'tidy.short': 'B' }) },
    ],
    [
      'has other placeholders in one language of a message',
      { 'tidy/rule.ts': rule('() => null'), 'tidy/texts.json': texts({ tidy: 'A {most}' }, { tidy: 'B' }) },
      'tidy/texts.json',
      /differs from "es": most there, – here/,
      { 'tidy/rule.ts': rule('() => null'), 'tidy/texts.json': texts({ tidy: 'A {most}' }, { tidy: '{most} B' }) },
    ],
    [
      'requests data in a helper of its widget',
      { ...widget('t'), 'own/helper.ts': 'export const help = () => fetch("/x");' },
      'own/helper.ts',
      /uses "fetch"/,
      { ...widget('t'), 'own/helper.ts': 'export const help = "fetch";' },
    ],
    [
      'has HTML in a message',
      { 'tidy/rule.ts': rule('() => null'), 'tidy/texts.json': texts({ tidy: '<b>A</b>' }, { tidy: 'B' }) },
      'tidy/texts.json',
      /"<b>" appears with its markup/,
      { 'tidy/rule.ts': rule('() => null'), 'tidy/texts.json': texts({ tidy: 'A < B' }, { tidy: 'B' }) },
    ],
    [
      'has a text that its widget never uses',
      { ...widget('t("word2")'), 'own/texts.json': texts({ word2: 'A', none: 'B' }, { word2: 'A', none: 'B' }) },
      'own/texts.json',
      /never uses the text "none"/,
      { ...widget('t("word" + value)'), 'own/texts.json': texts({ word2: 'A' }, { word2: 'A' }) },
    ],
    [
      'has no title for a parameter',
      {
        'tidy/rule.ts': bounded('{ type: "object", properties: { most: {} }, additionalProperties: false }'),
        'tidy/titles.json': '{ "tidy": "Ordenado" }',
      },
      'tidy/titles.json',
      /no title for "tidy.most"/,
      {
        'tidy/rule.ts': bounded('{ type: "object", properties: { most: {} }, additionalProperties: false }'),
        'tidy/titles.json': '{ "tidy": "Ordenado", "tidy.most": "Cuánto" }',
      },
    ],
    [
      'has a title for an unknown keyword',
      { 'tidy/rule.ts': rule('() => null'), 'tidy/titles.json': '{ "tidi": "Ordenado" }' },
      'tidy/titles.json',
      /no "tidi"/,
      { 'tidy/rule.ts': rule('() => null'), 'tidy/titles.json': '{ "tidy": "Ordenado" }' },
    ],
    [
      'has a misspelt file name',
      { ...widget('<p />'), 'own/rules.ts': rule('() => null') },
      'own/rules.ts',
      /Nothing reads plugins\/own\/rules.ts/,
      { ...widget('<p />'), 'own/rule.ts': rule('() => null') },
    ],
    [
      'has a folder name with capitals',
      { 'No_Word/rule.ts': rule('() => null') },
      'No_Word/rule.ts',
      /does not follow the naming of the others/,
      { 'no-word/rule.ts': rule('() => null') },
    ],
    [
      'is named like a built-in widget',
      { 'select/widget.tsx': 'export default () => <p />;' },
      'select/widget.tsx',
      /already has a widget "select"/,
      { 'select/rule.ts': rule('() => null') },
    ],
    [
      'sets inner HTML',
      widget('<p dangerouslySetInnerHTML={{ __html: value }} />'),
      'own/widget.tsx',
      /writes HTML/,
      widget('<p>{value}</p>'),
    ],
    [
      'uses localStorage',
      widget('<p title={localStorage.name} />'),
      'own/widget.tsx',
      /"localStorage"/,
      widget('<p title="localStorage.name" />'.replaceAll('"', "'")),
    ],
    [
      'gives a reason without a message',
      { 'tidy/rule.ts': rule(told), 'tidy/texts.json': texts({}, {}) },
      'tidy/texts.json',
      /returns the reason "short", but there is no message/,
      { 'tidy/rule.ts': rule(told), 'tidy/texts.json': texts({ tidy: 'A' }, { tidy: 'B' }) },
    ],
    [
      'has a format without a message',
      { 'tidy/rule.ts': capitals, 'tidy/texts.json': texts({}, {}) },
      'tidy/texts.json',
      /no message "format.tidy"/,
      { 'tidy/rule.ts': capitals, 'tidy/texts.json': texts({ 'format.tidy': 'A' }, { 'format.tidy': 'B' }) },
    ],
    [
      'has a format that takes exponential time',
      { 'tidy/rule.ts': capitals.replace('[A-Z]+', '([A-Z]+)+\\d{4}') },
      'tidy/rule.ts',
      /takes \d+ ms/,
      { 'tidy/rule.ts': capitals.replace('[A-Z]+', '[A-Z]+\\d{4}') },
    ],
    [
      'has a widget and no title for its rule',
      { ...widget('<p />'), 'own/rule.ts': rule('() => null'), 'own/titles.json': '{ "ui:widget": "Orden" }' },
      'own/titles.json',
      /no title for "tidy"/,
      {
        ...widget('<p />'),
        'own/rule.ts': rule('() => null'),
        'own/titles.json': '{ "ui:widget": "Orden", "tidy": "Ordenado" }',
      },
    ],
    [
      'has no titles although another plugin has some',
      { ...widget('<p />'), 'tidy/rule.ts': rule('() => null'), 'tidy/titles.json': '{ "tidy": "Ordenado" }' },
      'own/titles.json',
      /no title for "ui:widget"/,
      { ...widget('<p />'), 'tidy/rule.ts': rule('() => null') },
    ],
    [
      'has a widget for an unknown type',
      { 'own/widget.tsx': "export const types = ['strng'];\nexport default () => <p />;" },
      'own/widget.tsx',
      /for the type "strng"/,
      { 'own/widget.tsx': "export const types = ['string'];\nexport default () => <p />;" },
    ],
    ['moves the focus', widget('<input autoFocus />'), 'own/widget.tsx', /moves the focus/, widget('<input />')],
    [
      'changes the tab order',
      widget('<input tabIndex={2} />'),
      'own/widget.tsx',
      /moves the focus/,
      widget('<input tabIndex={0} />'),
    ],
    [
      'uses an unknown text key',
      { ...widget("<p>{t('hello')}</p>"), 'own/texts.json': texts({ helo: 'A' }, { helo: 'B' }) },
      'own/texts.json',
      /uses the text "hello"/,
      { ...widget("<p>{t('hello')}</p>"), 'own/texts.json': texts({ hello: 'A' }, { hello: 'B' }) },
    ],
  ])('[PLUG-02] report a plugin that %s, and accept its correction', async (_, wrong, file, says, right) => {
    const found = await problemsOf(wrong);
    expect(found.map((problem) => problem.message).join('\n')).toMatch(says);
    expect(found[0]?.file).toBe(`plugins/${file}`);
    expect(await problemsOf(right)).toEqual([]);
  });

  test('[PLUG-02] report a language that only one plugin has', async () => {
    const files = Object.fromEntries(
      ['one', 'two', 'three'].flatMap((name) => [
        [`${name}/rule.ts`, rule('() => null', name)],
        [`${name}/texts.json`, texts({ [name]: 'A' }, { [name]: 'B' })],
      ]),
    );
    expect(await problemsOf(files)).toEqual([]);
    const found = await problemsOf({ ...files, 'two/texts.json': '{ "sp": { "two": "A" }, "pt": { "two": "B" } }' });
    expect(found.map(({ file, message }) => [file, message])).toEqual([
      ['plugins/two/texts.json', 'No other plugin has texts in "sp".'],
      ['plugins/two/texts.json', '"two" has no text in "es".'],
    ]);
  });

  test('[ANA-02] report a syntax error at its position in an imported file', async () => {
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
