import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUntestedFields, findCaseFileProblems } from '../../src/cli/definitions/case-file-problems.ts';
import { findMailProblems } from '../../src/cli/definitions/texts-outside-definitions.ts';
import type { WordingRules } from '../../src/engine/compiler/lint/wording/wording-faults.ts';
import { root as project } from '../architecture/source-texts.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
const es = 'Asunto\n\nHola {{name}}:\n\n[Confirmar]({{confirm}})\n\n[Cancelar]({{cancel}})\n';
const pt = 'Assunto\n\nOlá {{name}}:\n\n[Confirmar]({{confirm}})\n\n[Cancelar]({{cancel}})\n';
const wording = { es: { links: ['este vínculo'] } as unknown as WordingRules };
const mails = async (own: { readonly es?: string; readonly pt?: string; readonly code?: string }) => {
  if (own.code !== undefined) await write({ 'src/server/a/index.ts': own.code });
  await write({ 'src/server/a/mails/call.es.txt': own.es ?? es, 'src/server/a/mails/call.pt.txt': own.pt ?? pt });
  return (await findMailProblems(root, 'es', 'es', wording)).map(
    ({ file, line, message, hint }) => `${file}:${line} ${message} ${hint}`,
  );
};

test.each([
  [
    'a placeholder in the syntax of screens',
    { es: es.replace('{{name}}', '{name}') },
    /call\.es\.txt:3 "\{name\}" no es una variable.*\{\{name\}\}/,
  ],
  [
    'blanks in a placeholder',
    { pt: pt.replace('{{name}}', '{{ name }}') },
    /call\.pt\.txt:3 "\{\{ name \}\}" no es una variable/,
  ],
  [
    'a misspelled placeholder',
    { es: es.replace('{{name}}', '{{nam}}') },
    /call\.pt\.txt:3 .*allí \{\{nam\}\}, acá \{\{name\}\}.*call\.es\.txt/,
  ],
  [
    'two links that differ in order between the languages',
    { es: es.replace('{{confirm}}', '{{x}}').replace('{{cancel}}', '{{confirm}}').replace('{{x}}', '{{cancel}}') },
    /call\.pt\.txt:5 .*allí \{\{cancel\}\}, acá \{\{confirm\}\}/,
  ],
  [
    'an announced link that is missing in both languages',
    { es: 'Asunto\n\nAbrí este vínculo:\n', pt: 'Assunto\n\nAbra este link:\n' },
    /call\.es\.txt:3 Dice "este vínculo", pero en este correo no hay ningún enlace/,
  ],
  [
    'a missing subject',
    { es: es.replace('Asunto', '') },
    /call\.es\.txt:1 El correo no tiene asunto\. Escribilo en el primer renglón/,
  ],
  [
    'a placeholder without a value in code',
    {
      es: es.replace('{{name}}', '{{nam}}'),
      pt: pt.replace('{{name}}', '{{nam}}'),
      code: 'mail({ name, confirm, cancel })',
    },
    /call\.es\.txt:3 Ningún programa da un valor para \{\{nam\}\}/,
  ],
  [
    'two placeholders that differ in order between the languages',
    { pt: `${pt}\n{{b}}\n\n{{a}}\n`, es: `${es}\n{{a}}\n\n{{b}}\n` },
    /call\.pt\.txt:9 .*allí \{\{a\}\}, acá \{\{b\}\}/,
  ],
  ['a link in one language', { pt: pt.replace(/\[Cancelar.*/, '') }, /call\.pt\.txt:1 .*allí \{\{cancel\}\}, acá –/],
] as const)('[QA-02] findMailProblems reports %s', async (_, own, says) => {
  expect((await mails(own)).join('\n')).toMatch(says);
});

test('[QA-02] findMailProblems accepts mails whose links and placeholders agree in both languages, and those of the portal', async () => {
  expect(await mails({ es: `${es}{{>part}}\n`, pt: `${pt}{{>part}}\n` })).toEqual([]);
  expect(await findMailProblems(project, 'es', 'es')).toEqual([]);
});

test('[QA-02] findCaseFileProblems reports a case file of an unknown screen and a duplicate case key', async () => {
  await write({
    'tests/fixtures/fomr.json': '{ "cases": {} }',
    'tests/fixtures/form.json': '{ "cases": { "valid": {}, "valid": {} } }',
    'tests/fixtures/done.json': '{ "cases": { "valid": { "note": "" } } }',
  });
  const found = await findCaseFileProblems(root, { screens: new Set(['form', 'done']), schema: () => null }, 'es');
  expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([
    expect.stringMatching(/fomr\.json No hay ninguna pantalla "fomr"/),
    expect.stringMatching(/form\.json La clave "valid" está dos veces/),
  ]);
  expect(found[0]?.hint).toMatch(/"form"/);
});

test.each([
  ['a value that the valid data has', { with: { nombre: 'Ana' } }, '/cases/other/with/nombre', /ya tiene ese valor/],
  ['an unknown field in "without"', { without: ['nombr'] }, '/cases/other/without/0', /"nombre"/],
  ['a duplicate of another case', { with: { nombre: 'Eva' } }, '/cases/other', /lo mismo que "first"/],
])('[QA-03] findCaseFileProblems reports a case that tests nothing new: %s', async (_, other, pointer, says) => {
  const schema = () => ({ type: 'object', properties: { nombre: { type: 'string' } } });
  const found = async (row: object) => {
    const wrong = { note: '', with: { nombre: 'x' }, errors: { nombre: 'No.' } };
    const first = { note: '', with: { nombre: 'Eva' } };
    const cases = { valid: { note: '' }, wrong, first, other: { note: '', ...row } };
    await write({ 'tests/fixtures/form.json': JSON.stringify({ data: { nombre: 'Ana' }, cases }) });
    return findCaseFileProblems(root, { screens: new Set(['form']), schema }, 'es');
  };
  expect((await found(other)).map((one) => `${one.pointer} ${one.message} ${one.hint}`)).toEqual([
    expect.stringMatching(new RegExp(`^${pointer} .*${says.source}`)),
  ]);
  expect(await found({ without: ['nombre'] })).toEqual([]);
});

test('[QA-03] findCaseFileProblems reports an unknown field in the valid data once instead of for every case', async () => {
  await write({
    'tests/fixtures/form.json':
      '{ "data": { "nombre": "Ana", "mial": "a@b" }, "cases": { "valid": { "note": "" }, "wrong": { "note": "", "without": ["mial"], "errors": { "mail": "No." } } } }',
  });
  const schema = () => ({ type: 'object', properties: { nombre: { type: 'string' }, mail: { type: 'string' } } });
  const found = await findCaseFileProblems(root, { screens: new Set(['form']), schema }, 'es');
  expect(found.map(({ pointer, message, hint }) => `${pointer ?? ''} ${message} ${hint}`)).toEqual([
    '/data/mial La pantalla no tiene ningún campo "mial": todos los casos fallan. ¿Quisiste decir "mail"? Corregí el nombre, o quitalo.',
  ]);
});

const form = { type: 'object', properties: { nombre: { type: 'string' }, mail: { type: 'string' } } };
const right = { note: '' };
const wrong = { note: '', with: { nombre: 'x' }, errors: { nombre: 'No.' } };

test.each([
  ['no case file', null, 'schemas/form/ui.json La pantalla no tiene casos.'],
  ['a file without cases', { cases: {} }, 'tests/fixtures/form.json La pantalla no tiene casos.'],
  ['no "cases"', { casos: {} }, 'tests/fixtures/form.json Este archivo no es de casos.'],
  [
    'a misspelled key',
    { cases: { right, wrong, other: { note: '', eror: {} } } },
    'tests/fixtures/form.json Un caso no lleva "eror".',
  ],
  [
    'a missing note',
    { cases: { right, wrong, other: {} } },
    'tests/fixtures/form.json Esto no es un caso válido: le falta una parte, o es de otro tipo.',
  ],
  ['no valid case', { cases: { wrong } }, 'tests/fixtures/form.json Ningún caso tiene valores válidos.'],
  ['no invalid case', { cases: { right } }, 'tests/fixtures/form.json Ningún caso tiene valores inválidos.'],
])('[QA-01] findCaseFileProblems reports a screen without valid case files once: %s', async (_, cases, says) => {
  if (cases) await write({ 'tests/fixtures/form.json': JSON.stringify(cases) });
  const found = await findCaseFileProblems(root, { screens: new Set(['form']), schema: () => form }, 'es');
  expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([says]);
});

test('[QA-01] findUntestedFields reports fields that no case tests, also in list items', async () => {
  const items = { type: 'object', properties: { nombre: { type: 'string' }, telefono: { type: 'string' } } };
  const schema = { type: 'object', properties: { ...form.properties, testigos: { type: 'array', items } } };
  const data = { nombre: 'Ana', testigos: [{ nombre: 'Eva' }] };
  await write({
    'schemas/form/schema.json': JSON.stringify(schema),
    'tests/fixtures/form.json': JSON.stringify({ data, cases: { right, wrong } }),
  });
  const found = await findUntestedFields(root, { screens: new Set(['form']), schema: () => schema }, 'es');
  expect(found.map(({ rule, pointer, message }) => `${rule ?? ''} ${pointer} ${message}`)).toEqual([
    'case/field /properties/mail Ningún caso prueba "mail".',
    'case/field /properties/testigos/items/properties/telefono Ningún caso prueba "testigos.items.telefono".',
  ]);
});
