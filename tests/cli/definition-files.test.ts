import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { caseFileProblems } from '../../src/cli/definitions/check.ts';
import { mailFindings } from '../../src/cli/definitions/other-texts.ts';
import type { Wording } from '../../src/engine/compiler/lint/wording/faults.ts';
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
const wording = { es: { links: ['este vínculo'] } as unknown as Wording };
const mails = async (own: { readonly es?: string; readonly pt?: string }) => {
  await write({ 'src/server/a/mails/call.es.txt': own.es ?? es, 'src/server/a/mails/call.pt.txt': own.pt ?? pt });
  return (await mailFindings(root, 'es', 'es', wording)).map(
    ({ file, line, message, hint }) => `${file}:${line} ${message} ${hint}`,
  );
};

test.each([
  [
    'a placeholder as a screen writes it',
    { es: es.replace('{{name}}', '{name}') },
    /call\.es\.txt:3 "\{name\}" se lee tal cual.*\{\{name\}\}/,
  ],
  [
    'blanks in a placeholder',
    { pt: pt.replace('{{name}}', '{{ name }}') },
    /call\.pt\.txt:3 "\{\{ name \}\}" se lee tal cual/,
  ],
  [
    'a misspelled placeholder',
    { es: es.replace('{{name}}', '{{nam}}') },
    /call\.pt\.txt:3 .*allí \{\{nam\}\}, acá \{\{name\}\}.*call\.es\.txt/,
  ],
  [
    'two links exchanged',
    { es: es.replace('{{confirm}}', '{{x}}').replace('{{cancel}}', '{{confirm}}').replace('{{x}}', '{{cancel}}') },
    /call\.pt\.txt:5 .*allí \{\{cancel\}\}, acá \{\{confirm\}\}/,
  ],
  [
    'a link that is announced, and missing in each language',
    { es: 'Asunto\n\nAbrí este vínculo:\n', pt: 'Assunto\n\nAbra este link:\n' },
    /call\.es\.txt:3 Dice "este vínculo", y en este correo no hay ninguno/,
  ],
  ['a link that is missing', { pt: pt.replace(/\[Cancelar.*/, '') }, /call\.pt\.txt:1 .*allí \{\{cancel\}\}, acá –/],
] as const)('[QA-02] %s in a mail is named', async (_, own, says) => {
  expect((await mails(own)).join('\n')).toMatch(says);
});

test('[QA-02] mails whose links and placeholders agree are fine, a part with placeholders of its own as well; so are those of the portal', async () => {
  expect(await mails({ es: `${es}{{>part}}\n`, pt: `${pt}{{>part}}\n` })).toEqual([]);
  expect(await mailFindings(project, 'es', 'es')).toEqual([]);
});

test('[QA-02] a file of cases of no screen is named, and a case that stands twice', async () => {
  await write({
    'tests/fixtures/fomr.json': '{ "cases": {} }',
    'tests/fixtures/form.json': '{ "cases": { "valid": {}, "valid": {} } }',
    'tests/fixtures/done.json': '{ "cases": {} }',
  });
  const found = await caseFileProblems(root, { screens: new Set(['form', 'done']), schema: () => null }, 'es');
  expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([
    expect.stringMatching(/fomr\.json No hay ninguna pantalla "fomr"/),
    expect.stringMatching(/form\.json La clave "valid" está dos veces/),
  ]);
  expect(found[0]?.hint).toMatch(/"form"/);
});

test.each([
  ['a value that is tried already', { with: { nombre: 'Ana' } }, '/cases/other/with/nombre', /ya tiene ese valor/],
  ['a field that is not there to be left out', { without: ['nombr'] }, '/cases/other/without/0', /"nombre"/],
  ['another case again', { with: { nombre: 'Eva' } }, '/cases/other', /lo mismo que "first"/],
])('[QA-03] a case that tries nothing is named: %s', async (_, other, pointer, says) => {
  const schema = () => ({ type: 'object', properties: { nombre: { type: 'string' } } });
  const found = async (row: object) => {
    const cases = { valid: {}, first: { with: { nombre: 'Eva' } }, other: row };
    await write({ 'tests/fixtures/form.json': JSON.stringify({ data: { nombre: 'Ana' }, cases }) });
    return caseFileProblems(root, { screens: new Set(['form']), schema }, 'es');
  };
  expect((await found(other)).map((one) => `${one.pointer} ${one.message} ${one.hint}`)).toEqual([
    expect.stringMatching(new RegExp(`^${pointer} .*${says.source}`)),
  ]);
  expect(await found({ without: ['nombre'] })).toEqual([]);
});

test('[QA-03] a field in the right data that the screen has not is named once, not by every case', async () => {
  await write({ 'tests/fixtures/form.json': '{ "data": { "nombre": "Ana", "mial": "a@b" }, "cases": {} }' });
  const schema = () => ({ type: 'object', properties: { nombre: { type: 'string' }, mail: { type: 'string' } } });
  const found = await caseFileProblems(root, { screens: new Set(['form', 'fomr', 'done']), schema }, 'es');
  expect(found.map(({ pointer, message, hint }) => `${pointer ?? ''} ${message} ${hint}`)).toEqual([
    '/data/mial La pantalla no tiene ningún campo "mial": todos los casos fallan. ¿Quisiste decir "mail"? Corregí el nombre, o quitalo.',
  ]);
});
