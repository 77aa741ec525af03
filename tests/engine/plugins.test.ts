import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPlugins } from '../../src/engine/compiler/files/read-plugins.ts';
import { readSource } from '../../src/engine/compiler/sources/read-source.ts';
import { Problems } from '../../src/engine/compiler/sources/source-file.ts';
import { evaluate } from '../../src/engine/core/logic.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'plugins-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Returns the problems of plugins with these files. */
const problemsOf = async (files: Readonly<Record<string, string>>) => {
  await rm(join(root, 'plugins'), { recursive: true, force: true });
  for (const [path, code] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'plugins', path)), { recursive: true });
    await writeFile(join(root, 'plugins', path), code);
  }
  const problems = new Problems();
  await readPlugins(root, (path) => readSource(root, path, problems), problems);
  return problems.list;
};

describe('[ENG-02] the code of plugins', () => {
  test.each([
    ['it', (sign: string) => ({ 'loud/rule.ts': `export const operators = { yell: (t) => t + '${sign}' };` })],
    [
      'a file beside it',
      (sign: string) => ({
        'loud/rule.ts': "import { sign } from './sign.json';\nexport const operators = { yell: (t) => t + sign };",
        'loud/sign.json': JSON.stringify({ sign }),
      }),
    ],
  ])('an operator is read again after an edit of %s', async (_, shouting) => {
    expect(await problemsOf(shouting('!'))).toEqual([]);
    expect(evaluate({ yell: ['hola'] }, {})).toBe('hola!');
    expect(await problemsOf(shouting('?'))).toEqual([]);
    expect(evaluate({ yell: ['hola'] }, {})).toBe('hola?');
  });

  test.each([
    ['another plugin', 'whisper', 'The operator "whisper" is also defined by plugins/first.'],
    ['JSON-logic', 'cat', 'The operator "cat" is also one of JSON-logic.'],
  ])('[ANA-02] an operator that %s brings is refused', async (_, name, message) => {
    const code = `export const operators = { '${name}': () => 'mine' };`;
    const first: Readonly<Record<string, string>> = name === 'cat' ? {} : { 'first/rule.ts': code };
    expect(await problemsOf({ ...first, 'second/rule.ts': code })).toMatchObject([
      { file: 'plugins/second/rule.ts', message },
    ]);
    expect(evaluate({ cat: ['a', 'b'] }, {})).toBe('ab');
  });

  test.each([
    ['another plugin', 'shiny', 'The format "shiny" is also defined by plugins/first.'],
    ['JSON Schema', 'email', 'The format "email" is also one of JSON Schema.'],
  ])('[ANA-02] a format that %s brings is refused', async (_, name, message) => {
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
      'exports a rule in place of a list',
      "export const rules = { keyword: 'tidy' };",
      /^rule.ts exports none of "rules"/,
    ],
    [
      'lacks a check',
      "export const rules = [{ keyword: 'tidy', level: 'field', parameters: {} }];",
      /^A rule lacks one of/,
    ],
    [
      'does not say which fields its rule fits',
      "export const rules = [{ keyword: 'tidy', level: 'field', parameters: {}, check: () => null }];",
      'The rule "tidy" does not declare the field types that it applies to.',
    ],
    [
      'fits fields that there are not',
      "export const rules = [{ keyword: 'tidy', level: 'field', types: ['text'], parameters: {}, check: () => null }];",
      'The rule "tidy" does not declare the field types that it applies to.',
    ],
    ['takes a keyword of the standard', rule('() => null', 'pattern'), 'The keyword "pattern" is one of JSON Schema.'],
    [
      'changes the value that it looks at',
      rule('({ value }) => { if (Array.isArray(value)) value.push("b"); return null; }'),
      /^"tidy": it modifies its input \[\]/,
    ],
    [
      'brings an operator that changes what it is given',
      'export const operators = { last: (list) => (Array.isArray(list) ? list.pop() : null) };',
      /^"last": it modifies its input \["a"\]/,
    ],
    [
      'throws for what is no text',
      rule('({ value }) => value.trim() ? null : {}'),
      /^"tidy": it throws for 0 \(TypeError/,
    ],
    [
      'reads a fact that may be missing',
      rule('({ context }) => context.user.id ? {} : null'),
      /^"tidy": it throws for ""/,
    ],
    ['answers a promise', rule('async () => null'), '"tidy": it returns a promise for "", but must be synchronous.'],
    [
      'answers a promise that fails',
      rule('async () => { throw new Error(); }'),
      '"tidy": it returns a promise for "", but must be synchronous.',
    ],
    [
      'throws when it is asked what it reads',
      "export const rules = [{ keyword: 'tidy', level: 'field', types: ['string'], parameters: {}, reads: (given) => given.lost.names, check: () => null }];",
      /^"tidy": it throws \(TypeError/,
    ],
    [
      'throws for a long text',
      rule('({ value }) => { if (String(value).length > 900) throw new Error(); return null; }'),
      '"tidy": it throws (Error).',
    ],
    [
      'answers by chance',
      rule('() => ({ values: { lot: Math.random() } })'),
      '"tidy": it returns different results when called twice with "".',
    ],
    [
      'asks the clock',
      rule('({ value }) => (String(value).length > new Date().getFullYear() ? {} : null)'),
      /^"tidy": it calls Date for ""/,
    ],
    [
      'asks the clock by its number',
      rule('({ value }) => (value === Date.now() ? {} : null)'),
      /^"tidy": it calls Date for ""/,
    ],
    [
      'asks chance and answers alike',
      rule('() => (Math.random() > 2 ? {} : null)'),
      /^"tidy": it calls Math.random for ""/,
    ],
    [
      'reads a field that it does not name',
      rule('({ value, form }) => (value === form.email ? {} : null)'),
      /^"tidy": it reads the field "email", which "reads" does not list/,
    ],
    [
      'reads a fact that it does not name',
      rule('({ value, context }) => (value === context.product ? {} : null)'),
      '"tidy": it reads the fact "product", which "facts" does not list: the server does not provide it.',
    ],
    [
      'goes on where a pattern stopped',
      'const shape = /^[A-Z]+$/g;\nexport const formats = { tidy: (text) => shape.test(text) };',
      /^"tidy": it tests a pattern with the flag g or y/,
    ],
    ['answers true', rule('() => true'), '"tidy": it returns true, not null or { "reason", "values" }.'],
    [
      'imports Node.js',
      `import { EOL } from 'node:os';\n${rule('() => (EOL ? null : {})')}`,
      'The rule imports "node:os", which browsers do not have.',
    ],
    [
      'takes a time that doubles',
      rule('({ value }) => (/^(a+)+$/.test(value) ? {} : null)'),
      /^"tidy": it takes \d+ ms for a text of \d\d characters\.$/,
    ],
    [
      'has a format that says no',
      "export const formats = { tidy: (text) => text.length || 'no' };",
      '"tidy": it returns 1, not true or false.',
    ],
    [
      'has an operator that throws',
      'export const operators = { tidy: (text) => text.trim() };',
      /^"tidy": it throws for 0/,
    ],
    [
      'adds numbers and joins the same as texts',
      'export const operators = { tidy: (a, b) => a + b };',
      /^"tidy": it returns the sum of 4, 7, 20 as 11, but returns "47" for \["4",7,20\]: .*Number\(…\)\.$/,
    ],
    [
      'adds up a list in which a text may stand',
      'export const operators = { tidy: (...all) => all.reduce((a, b) => a + b) };',
      /^"tidy": it returns the sum of 4, 7, 20 as 31, but returns "4720" for/,
    ],
    [
      'adds one',
      'export const operators = { tidy: (a) => a + 1 };',
      /^"tidy": it returns the sum of 4, 7, 20 as 5, but returns "41" for/,
    ],
  ])('[ANA-02][SEG-04] a plugin that %s is refused by its folder', async (_, code, message) => {
    const expected = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    const found = await problemsOf({ 'tidy/rule.ts': code });
    expect(found.map(({ message }) => message)).toEqual([expected]);
    expect(found[0]?.file).toBe('plugins/tidy/rule.ts');
  });

  test.each([
    ['names what it reads', "({ value, form }) => (value === form.email ? {} : null), reads: () => ['email']"],
    [
      'names the fact that it reads',
      "({ value, context }) => (value === context.product ? {} : null), facts: () => ['product']",
    ],
    ['takes all that fits', "({ value }) => (String(value).replace(/a/g, '') === 'zz' ? {} : null)"],
    ['makes a day of its value', '({ value }) => (Number.isNaN(new Date(String(value)).getTime()) ? {} : null)'],
  ])('[ANA-02] a rule that %s is fine', async (_, check) => {
    expect(await problemsOf({ 'tidy/rule.ts': rule(check) })).toEqual([]);
  });

  test.each([
    ['adds what it made numbers of', '(a, b) => Number(a) + Number(b)'],
    ['joins whatever it is given', '(...all) => all.join("")'],
    ['multiplies', '(a, b) => a * b'],
    ['answers one of what it is given', '(a, b) => (a > b ? a : b)'],
    ['adds numbers, and ends a text in a sign', "(a) => (typeof a === 'number' ? a + 1 : `${a}!`)"],
  ])('[ANA-02] an operator that %s is fine', async (_, operator) => {
    expect(await problemsOf({ 'tidy/rule.ts': `export const operators = { tidy: ${operator} };` })).toEqual([]);
  });

  test.each([
    ['rules.ts', 'plugins/tidy/rules.ts', /^Rename rules\.ts to rule\.ts/],
    ['README.md', 'plugins/tidy/README.md', /^Write one of them/],
  ])('[ANA-02] a folder that holds only %s is reported: nothing of it is found', async (name, file, hint) => {
    const [found] = await problemsOf({ [`tidy/${name}`]: 'export const rules = [];' });
    expect(found).toMatchObject({
      file,
      message: 'plugins/tidy has neither rule.ts nor widget.tsx: the portal ignores it.',
    });
    expect(found?.hint).toMatch(hint);
  });

  test('[ANA-02] a message that asks for a value which the rule does not give is told, until its text is mended', async () => {
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

  test('[PLUG-02] a message is in every language that plugins speak, and of a rule of its plugin', async () => {
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
    ['is no code', 'export default () => <p>;', 1, /^The widget cannot be loaded: /],
    ['imports Node.js', "\nimport { EOL } from 'node:os';\nexport default () => <p>{EOL}</p>;", 2, /"node:os"/],
    ['exports a component by its name', 'export const Own = () => <p />;', 1, 'The widget has no default export.'],
  ])('[PLUG-02] a widget that %s is refused by its folder', async (_, code, line, message) => {
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
      'takes parameters that it does not know',
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
      'requires a parameter that it does not describe',
      {
        'tidy/rule.ts': bounded(
          '{ type: "object", required: ["mst"], properties: { most: {} }, additionalProperties: false }',
        ),
      },
      'tidy/rule.ts',
      /require "mst"/,
      {
        'tidy/rule.ts': bounded(
          '{ type: "object", required: ["most"], properties: { most: {} }, additionalProperties: false }',
        ),
      },
    ],
    [
      'has parameters of no type',
      { 'tidy/rule.ts': bounded('{ type: "strng" }') },
      'tidy/rule.ts',
      /type "strng"/,
      { 'tidy/rule.ts': bounded('{ type: "string" }') },
    ],
    [
      'has parameters that are no schema',
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
      'reads a text in the place of a list',
      { 'tidy/rule.ts': rule('() => null, reads: () => "email"') },
      'tidy/rule.ts',
      /"reads" does not return a list of names/,
      { 'tidy/rule.ts': rule('() => null, reads: () => ["email"]') },
    ],
    [
      'has a format that takes everything',
      { 'tidy/rule.ts': 'export const formats = { tidy: (text) => /[A-Z]*/.test(text) };' },
      'tidy/rule.ts',
      /accepts any text/,
      { 'tidy/rule.ts': 'export const formats = { tidy: (text) => /^[A-Z]+$/.test(text) };' },
    ],
    [
      'asks the environment',
      { 'tidy/rule.ts': rule('({ value }) => (value === process.env.SECRET ? {} : null)') },
      'tidy/rule.ts',
      /uses "process"/,
      { 'tidy/rule.ts': `// never process.env\n${rule("({ value }) => (value === 'process.env' ? {} : null)")}` },
    ],
    [
      'asks the network',
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
      'gives a message another value in one of its languages',
      { 'tidy/rule.ts': rule('() => null'), 'tidy/texts.json': texts({ tidy: 'A {most}' }, { tidy: 'B' }) },
      'tidy/texts.json',
      /differs from "es": most there, – here/,
      { 'tidy/rule.ts': rule('() => null'), 'tidy/texts.json': texts({ tidy: 'A {most}' }, { tidy: '{most} B' }) },
    ],
    [
      'has a title for what it does not bring',
      { 'tidy/rule.ts': rule('() => null'), 'tidy/titles.json': '{ "tidi": "Ordenado" }' },
      'tidy/titles.json',
      /no "tidi"/,
      { 'tidy/rule.ts': rule('() => null'), 'tidy/titles.json': '{ "tidy": "Ordenado" }' },
    ],
    [
      'has a file of nearly the right name',
      { ...widget('<p />'), 'own/rules.ts': rule('() => null') },
      'own/rules.ts',
      /Nothing reads plugins\/own\/rules.ts/,
      { ...widget('<p />'), 'own/rule.ts': rule('() => null') },
    ],
    [
      'has a name in capitals',
      { 'No_Word/rule.ts': rule('() => null') },
      'No_Word/rule.ts',
      /does not follow the naming of the others/,
      { 'no-word/rule.ts': rule('() => null') },
    ],
    [
      'is called like a widget of the engine',
      { 'select/widget.tsx': 'export default () => <p />;' },
      'select/widget.tsx',
      /already has a widget "select"/,
      { 'select/rule.ts': rule('() => null') },
    ],
    [
      'draws HTML',
      widget('<p dangerouslySetInnerHTML={{ __html: value }} />'),
      'own/widget.tsx',
      /writes HTML/,
      widget('<p>{value}</p>'),
    ],
    [
      'asks past the session',
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
      'has a format whose time doubles with each capital',
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
      'has no titles where others have some',
      { ...widget('<p />'), 'tidy/rule.ts': rule('() => null'), 'tidy/titles.json': '{ "tidy": "Ordenado" }' },
      'own/titles.json',
      /no title for "ui:widget"/,
      { ...widget('<p />'), 'tidy/rule.ts': rule('() => null') },
    ],
    [
      'fits a type that there is not',
      { 'own/widget.tsx': "export const types = ['strng'];\nexport default () => <p />;" },
      'own/widget.tsx',
      /for the type "strng"/,
      { 'own/widget.tsx': "export const types = ['string'];\nexport default () => <p />;" },
    ],
    ['moves the focus', widget('<input autoFocus />'), 'own/widget.tsx', /moves the focus/, widget('<input />')],
    [
      'changes the order of the focus',
      widget('<input tabIndex={2} />'),
      'own/widget.tsx',
      /moves the focus/,
      widget('<input tabIndex={0} />'),
    ],
    [
      'asks for a text that is not there',
      { ...widget("<p>{t('hello')}</p>"), 'own/texts.json': texts({ helo: 'A' }, { helo: 'B' }) },
      'own/texts.json',
      /uses the text "hello"/,
      { ...widget("<p>{t('hello')}</p>"), 'own/texts.json': texts({ hello: 'A' }, { hello: 'B' }) },
    ],
  ])(
    '[PLUG-02] a plugin that %s is named by its folder, and what is right is not',
    async (_, wrong, file, says, right) => {
      const found = await problemsOf(wrong);
      expect(found.map((problem) => problem.message).join('\n')).toMatch(says);
      expect(found[0]?.file).toBe(`plugins/${file}`);
      expect(await problemsOf(right)).toEqual([]);
    },
  );

  test('[PLUG-02] a language that a single plugin speaks is a slip of that one, and lacks in no other', async () => {
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
