import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlugins } from '../../src/engine/compiler/files/read-plugins.ts';
import { ProblemCollector } from '../../src/engine/compiler/sources/problem-collector.ts';
import { readSourceFile } from '../../src/engine/compiler/sources/read-source.ts';
import { changeSample, loadProject } from './support/project.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'widgets-'));
  await writeFile(join(root, 'package.json'), JSON.stringify({ dependencies: { react: '19' } }));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Reads a plugin `own` with these files. Returns its widget's types and options, and the problems. */
const readOwn = async (files: Readonly<Record<string, string>>) => {
  const folder = join(root, 'plugins/own');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
  const problems = new ProblemCollector();
  const { byName } = await readPlugins(root, (path) => readSourceFile(root, path, problems), problems);
  const { widgetTypes, widgetOptions } = byName.get('own') ?? {};
  const found = problems.list.map(({ file, line, message }) => `${file}:${line} ${message}`);
  return { widgetTypes, widgetOptions, found };
};

const component = 'export default () => <p />;\n';

test.each([
  ['a literal', `export const options = { max: { type: 'integer' } } as const;\n${component}`],
  [
    'a literal of several lines with a semicolon',
    `export const options = {\n  max: { type: 'integer' }, // ;\n};\n${component}`,
  ],
  [
    'a constant of a name that a helper uses too',
    `import { help } from './helper.ts';\nconst options = { max: { type: 'integer' } };\nexport { options };\nexport default () => <p>{help}</p>;`,
  ],
])('[PLUG-02] compiler reads the options of a widget from %s', async (_, code) => {
  const helper = "const options = ['other'];\nexport const help = options.join();\n";
  expect(await readOwn({ 'widget.tsx': code, 'helper.ts': helper })).toMatchObject({
    widgetOptions: { type: 'object', properties: { max: { type: 'integer' } } },
    found: [],
  });
});

test('[PLUG-02] compiler reads the types of a widget, and that it has no options', async () => {
  expect(await readOwn({ 'widget.tsx': `export const types = ['string'] as const;\n${component}` })).toEqual({
    widgetTypes: ['string'],
    widgetOptions: { type: 'object', properties: {}, additionalProperties: false },
    found: [],
  });
});

test.each([
  ['unknown type', "export const types = ['text'];", 'widget.tsx:1 The widget is for the type "text", which no field'],
  ['variable in its options', 'const most = {};\nexport const options = { most };', ':2 "types" and'],
  ['list of options', "export const options = ['max'];", ':1 "options": it has no JSON Schema for each option'],
  [
    'schema of all options',
    "export const options = { type: 'object', properties: {} };",
    ':1 "options": it has no JSON',
  ],
  [
    'option that accepts any name',
    "export const options = { most: { type: 'object', properties: {} } };",
    ':1 "options": its schema accepts any name: add "additionalProperties": false',
  ],
  [
    'option of an unknown type',
    "export const options = { max: { type: 'int' } };",
    ':1 "options": its schema has the type "int"',
  ],
])('[PLUG-02] compiler rejects a widget with an %s', async (_, code, message) => {
  const { found, widgetTypes } = await readOwn({ 'widget.tsx': `${code}\n${component}` });
  expect(found).toEqual([expect.stringContaining(message)]);
  expect(widgetTypes, 'leaves follow-up problems out').toBeUndefined();
});

const importing = (path: string) => `import { x } from '${path}';\nexport const help = x;\n`;

test.each([
  ['node:fs', 'The widget imports "node:fs", which browsers do not have.'],
  ['fs', 'The widget imports "fs", which browsers do not have.'],
  ['lodash.debounce', '"lodash.debounce" is not a package of the project.'],
  ['@other/thing/part', '"@other/thing" is not a package of the project.'],
  ['../../src/missing.ts', 'The widget cannot be loaded: Could not resolve "../../src/missing.ts".'],
])('[PLUG-02] compiler rejects a widget whose helper imports %s', async (path, message) => {
  const widget = "import { help } from './helper.ts';\nexport default () => <p>{help}</p>;";
  const { found } = await readOwn({ 'widget.tsx': widget, 'helper.ts': importing(path) });
  expect(found).toEqual([`plugins/own/helper.ts:1 ${message}`]);
});

test('[PLUG-02] compiler rejects a rule that imports an unlisted package, and accepts a listed one in a widget', async () => {
  const rule = `${importing('left-pad')}export const formats = { own: (text) => text === help };`;
  expect((await readOwn({ 'rule.ts': rule })).found).toEqual([
    'plugins/own/rule.ts:1 "left-pad" is not a package of the project.',
  ]);
  expect(
    (await readOwn({ 'widget.tsx': `import { useId } from 'react';\nexport default () => <p>{useId()}</p>;` })).found,
  ).toEqual([]);
});

test.each([
  ['a misspelt option', { metr: true }, 'metr', 'declares no option "metr".', 'Did you mean "meter"?'],
  ['a misspelt common option', { witdh: 'half' }, 'witdh', 'declares no option "witdh".', 'Did you mean "width"?'],
  ['an option of another widget', { accept: '.pdf' }, 'accept', 'declares no option "accept".', 'It has: '],
  ['an option in quotes', { meter: 'true' }, 'meter', '"meter" must be boolean.', 'Write it without quotes: true.'],
  [
    'an option of the wrong type',
    { show: ['no'] },
    'show',
    '"show" must be boolean.',
    'Write true or false without quotes.',
  ],
])('[PLUG-02][ANA-02] compiler rejects %s of a plugin widget', async (_, options, option, message, hint) => {
  const files = changeSample('schemas/form/ui.json', (ui) => {
    Object.assign(ui['fields']!['secret'], { 'ui:widget': 'password', 'ui:options': options });
  });
  const { problems } = await loadProject(files);
  expect(problems).toMatchObject([{ file: 'schemas/form/ui.json', pointer: `/fields/secret/ui:options/${option}` }]);
  expect(problems[0]?.message).toContain(message);
  expect(problems[0]?.hint).toContain(hint);
});

test.each([
  ['rule as the value of an option', 'secret', 'password', { meter: { var: 'flags.on' }, width: 'half' }],
  ['rule inside an option', 'extra', 'document-country', { exclude: [{ var: 'flags.on' }] }],
])('[PLUG-02] compiler accepts a %s of a plugin widget', async (_, field, widget, options) => {
  const files = changeSample('schemas/form/ui.json', (ui) => {
    Object.assign(ui['fields']![field], { 'ui:widget': widget, 'ui:options': options });
  });
  expect((await loadProject(files)).problems).toEqual([]);
});
