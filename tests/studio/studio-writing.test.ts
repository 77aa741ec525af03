import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { readVersionedFile, computeFileVersion } from '../../src/studio/server/definition-files.ts';
import { applyJsonEdits } from '../../src/cli/definitions/apply-json-edits.ts';
import type { LiveDefinitions } from '../../src/engine/compiler/definitions.ts';
import { DefinitionLoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import type { JsonObject } from '../../src/engine/core/json.ts';
import { createDefinitionOptions } from '../../src/server/app/definition-options.ts';
import { readStudioDefinitions } from '../../src/studio/server/read-studio-definitions.ts';
import { tryLoadDefinitions } from '../../src/studio/server/check-edits.ts';
import type { JsonEdit } from '../../src/studio/studio-api-types.ts';
import { root } from '../definitions/support/fixtures.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';
import { placeSmallProject } from '../engine/support/flow-copy.ts';

describe('[EST-09] applyJsonEdits', () => {
  const text = `{
  "title": "Hola",
  "fields": {
    "uno": { "ui:title": "Uno", "ui:options": { "width": "half" } },
    "dos": { "ui:title": "Dos" }
  },
  "list": ["a", "b"]
}
`;
  test.each<[name: string, edit: JsonEdit, from: string, to: string]>([
    ['a text', { pointer: '/title', value: 'Buenas' }, '"Hola"', '"Buenas"'],
    ['a key of a short object', { pointer: '/fields/dos/ui:help', value: 'x' }, '"Dos" }', '"Dos", "ui:help": "x" }'],
    [
      'a key of a long object',
      { pointer: '/fields/tres', value: { 'ui:title': 'Tres' } },
      '"Dos" }\n',
      '"Dos" },\n    "tres": { "ui:title": "Tres" }\n',
    ],
    [
      'a key before another',
      { pointer: '/fields/medio', value: 1, before: 'dos' },
      '    "dos"',
      '    "medio": 1,\n    "dos"',
    ],
    [
      'missing parent objects',
      { pointer: '/visible/uno', value: true },
      '"b"]\n',
      '"b"],\n  "visible": { "uno": true }\n',
    ],
    ['an item at the end', { pointer: '/list/-', value: 'c' }, '"b"]', '"b", "c"]'],
    ['the removal of an item', { pointer: '/list/0' }, '["a", "b"]', '["b"]'],
    ['the removal of the last key', { pointer: '/list' }, ',\n  "list": ["a", "b"]', ''],
    ['the removal of a key in between', { pointer: '/title' }, '"title": "Hola",\n  ', ''],
    ['the removal of the only key', { pointer: '/fields/dos/ui:title' }, '{ "ui:title": "Dos" }', '{}'],
    [
      'a line that becomes too long on several lines',
      { pointer: '/fields/uno/ui:title', value: 'U'.repeat(90) },
      '{ "ui:title": "Uno", "ui:options": { "width": "half" } }',
      `{\n      "ui:title": "${'U'.repeat(90)}",\n      "ui:options": { "width": "half" }\n    }`,
    ],
  ])('writes %s, and keeps the rest of the file', (_name, edit, from, to) => {
    expect(text.split(from)).toHaveLength(2);
    const expected = text.replace(from, to);
    expect(applyJsonEdits(text, [edit])).toBe(expected);
    const other = (own: string) => `\uFEFF${own.replaceAll('\n', '\r\n')}`;
    expect(applyJsonEdits(other(text), [edit])).toBe(other(expected));
  });

  test.each(['/list/x', '/list/3', '/list/', '/list/01', '/list/-/x/2'])(
    'rejects the invalid position %s',
    (pointer) => {
      expect(() => applyJsonEdits(text, [{ pointer, value: 'c' }])).toThrow('place');
    },
  );

  test('rejects the removal of a missing list item, and ignores that of a missing key', () => {
    for (const pointer of ['/list/x', '/list/2', '/list/'])
      expect(() => applyJsonEdits(text, [{ pointer }])).toThrow(`nothing at ${pointer}`);
    expect(applyJsonEdits(text, [{ pointer: '/fields/tres/ui:help' }])).toBe(text);
  });

  test('fills an empty object on one line, and creates a missing list', () => {
    expect(applyJsonEdits('{\n  "a": {\n  }\n}\n', [{ pointer: '/a/b', value: 1 }])).toBe('{\n  "a": { "b": 1 }\n}\n');
    const edits = ['Uno', 'Dos'].map((value, index) => ({ pointer: `/sections/${index}/title`, value }));
    expect(JSON.parse(applyJsonEdits('{\n  "title": "x"\n}\n', edits))).toEqual({
      title: 'x',
      sections: [{ title: 'Uno' }, { title: 'Dos' }],
    });
  });

  test('keeps a line that was already too long, and rejects a key inside a text', () => {
    const long = `{\n  "a": { "b": "${'x'.repeat(130)}", "c": "y" }\n}\n`;
    expect(applyJsonEdits(long, [{ pointer: '/a/c', value: 'z' }])).toBe(long.replace('"y"', '"z"'));
    expect(() => applyJsonEdits(text, [{ pointer: '/title/x', value: 1 }])).toThrow('no place');
  });
});

describe('[EST-09] DefinitionWriter', () => {
  let copy = '';
  let writer: DefinitionWriter;
  const cache = new DefinitionLoadCache();
  const ui = 'schemas/contacto/ui.json';
  const pt = 'schemas/contacto/ui.pt.json';
  /** Undoes or redoes the next entry of the history. */
  const turn = async (kind: 'undo' | 'redo', by = writer) =>
    by.undoOrRedo(kind, (await by.findHistory())[kind]?.id ?? 'none');
  const onDisk = (file: string) => readFile(join(copy, file), 'utf8');
  const change = async (file: string, ...edits: JsonEdit[]) => ({
    file,
    base: (await readVersionedFile(copy, file)).version,
    edits,
  });
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'studio-test-'));
    placeSmallProject(copy);
    await symlink(join(root, 'plugins'), join(copy, 'plugins'));
    writer = new DefinitionWriter({ ...createDefinitionOptions(root), root: copy }, cache);
  });
  afterEach(() => rm(copy, { recursive: true, force: true }));

  test('[EST-07] writes the scenarios of a flow, and rejects an outdated or invalid file', async () => {
    const file = 'tests/definitions/walks/contacto.json';
    const write = (walk: JsonObject) =>
      writer.writeChanges({ changes: [{ file, base: null, edits: [{ pointer: '', value: { walks: [walk] } }] }] });
    expect(await write({ name: 'uno', at: 'formulari' })).toMatchObject({
      outcome: 'problems',
      problems: [{ file, line: 1, message: 'No hay ningún estado "formulari".' }],
    });
    expect(await write({ name: 'uno', espera: 1 })).toMatchObject({ outcome: 'problems' });
    expect(await write({ name: 'uno', then: { state: 'formulario' } })).toMatchObject({ outcome: 'written' });
    expect(await write({ name: 'otro' }), 'outdated version').toMatchObject({ outcome: 'conflict' });
    const next = await change(file, { pointer: '/walks/-', value: { name: 'dos', todo: 'Falta.' } });
    await writer.writeChanges({ changes: [next] });
    expect(JSON.parse(await onDisk(file))).toEqual({
      walks: [
        { name: 'uno', then: { state: 'formulario' } },
        { name: 'dos', todo: 'Falta.' },
      ],
    });
    await turn('undo');
    expect(JSON.parse(await onDisk(file))).toEqual({ walks: [{ name: 'uno', then: { state: 'formulario' } }] });
  });

  test('writes two files at once, undoes both at once, and writes nothing in a dry run', async () => {
    const before = [await onDisk(ui), await onDisk(pt)];
    const changes = [
      await change(ui, { pointer: '/title', value: 'Escribinos' }),
      await change(pt, { pointer: '/title', value: 'Escreva' }),
    ];
    expect(await writer.writeChanges({ changes, dryRun: true })).toMatchObject({ outcome: 'fine' });
    expect([await onDisk(ui), await onDisk(pt)]).toEqual(before);
    await writer.writeChanges({ changes });
    expect(await onDisk(ui)).toBe(before[0]?.replace('"Contacto"', '"Escribinos"'));
    expect(await onDisk(pt)).toBe(before[1]?.replace('"Contato"', '"Escreva"'));
    expect(await turn('undo')).toMatchObject({ outcome: 'written' });
    expect([await onDisk(ui), await onDisk(pt)]).toEqual(before);
  });

  test('[EST-14] undoes and redoes changes after a restart, and skips files that were changed elsewhere', async () => {
    const other = 'schemas/registro/ui.json';
    const wrote = async (file: string, from: string, to: string) => {
      const { version, text } = await readVersionedFile(copy, file);
      expect(text).toContain(from);
      return writer.writeChanges({ changes: [{ file, base: version, text: text.replace(from, to) }] });
    };
    const before = [await onDisk(ui), await onDisk(other)];
    const title = JSON.stringify((JSON.parse(before[1] ?? '') as { title: string }).title);
    await wrote(ui, '"Contacto"', '"Uno"');
    await wrote(other, title, '"Dos"');
    await wrote(ui, '"Uno"', '"Tres"');
    const anew = new DefinitionWriter({ ...createDefinitionOptions(root), root: copy }, cache);
    for (const files of [[ui], [other], [ui]]) {
      expect((await anew.findHistory()).undo?.files).toEqual(files);
      expect(await turn('undo', anew)).toMatchObject({ outcome: 'written' });
    }
    expect([await onDisk(ui), await onDisk(other)]).toEqual(before);
    expect([(await anew.findHistory()).undo, await turn('undo', anew)]).toEqual([
      null,
      { outcome: 'refused', reason: 'unknown' },
    ]);
    for (let times = 0; times < 3; times += 1) await turn('redo', anew);
    expect(await onDisk(ui)).toContain('"Tres"');
    expect(await onDisk(other)).toContain('"Dos"');

    await writeFile(join(copy, ui), (await onDisk(ui)).replace('"Tres"', '"Afuera"'));
    expect((await anew.findHistory()).undo?.files).toEqual([other]);
    await turn('undo', anew);
    writer = anew;
    await wrote(ui, '"Afuera"', '"Cuatro"');
    expect((await anew.findHistory()).redo, 'a new write discards the redo history').toBeNull();
  });

  test('[EST-14] ignores a stored history that names another file', async () => {
    const path = join(copy, 'secret.json');
    const side = (text: string) => [{ file: 'secret.json', version: computeFileVersion(text), text }];
    await writeFile(path, 'now');
    const done = [{ id: 'a', before: side('before'), after: side('now') }];
    await mkdir(join(copy, '.cache/studio'), { recursive: true });
    await writeFile(join(copy, '.cache/studio/history.json'), JSON.stringify({ done, undone: [] }));
    expect(await writer.undoOrRedo('undo', 'a')).toMatchObject({ outcome: 'refused' });
    expect(await readFile(path, 'utf8')).toBe('now');
  });

  test('reports a conflict with the current file for an outdated version, also for undo', async () => {
    const first = await change(ui, { pointer: '/title', value: 'Uno' });
    const second = await change(ui, { pointer: '/title', value: 'Dos' });
    const [one, two] = await Promise.all([
      writer.writeChanges({ changes: [first] }),
      writer.writeChanges({ changes: [second] }),
    ]);
    expect([one.outcome, two.outcome]).toEqual(['written', 'conflict']);
    const now = await readVersionedFile(copy, ui);
    expect(two).toEqual({ outcome: 'conflict', files: [now] });
    expect(now.text).toContain('"Uno"');
    const { undo } = await writer.findHistory();
    await writeFile(join(copy, ui), now.text.replace('"Uno"', '"Tres"'));
    expect(await writer.undoOrRedo('undo', undo?.id ?? '')).toMatchObject({ outcome: 'conflict' });
    expect(await onDisk(ui)).toContain('"Tres"');
    const fresh = { file: 'schemas/contacto/schema.json', base: null, text: '{}' };
    expect(await writer.writeChanges({ changes: [fresh] })).toMatchObject({ outcome: 'conflict' });
  });

  test('rejects definitions that the compiler rejects, and can repair ones that are invalid elsewhere', async () => {
    const before = await onDisk(ui);
    const broken = await change(ui, { pointer: '/fields/nadie', value: { 'ui:widget': 'textarea' } });
    const answer = await writer.writeChanges({ changes: [broken] });
    expect(answer).toMatchObject({ outcome: 'problems', problems: [{ file: ui, pointer: '/fields/nadie' }] });
    expect(await onDisk(ui)).toBe(before);
    await writeFile(join(copy, 'schemas/feedback/ui.json'), '{');
    await writeFile(join(copy, 'flows/ayuda.json'), '{}');
    const mended = {
      ...(await change('schemas/feedback/ui.json')),
      text: await readFile(join(root, 'schemas/feedback/ui.json'), 'utf8'),
    };
    expect(await writer.writeChanges({ changes: [mended] })).toMatchObject({ outcome: 'written', partial: true });
    // Problems across files are not detected while one file is invalid. They must not prevent the repair of that file.
    expect(await writer.writeChanges({ changes: [broken] })).toMatchObject({ outcome: 'written', partial: true });
    const flow = 'flows/ayuda.json';
    const other = { ...(await change(flow)), text: await readFile(join(root, flow), 'utf8') };
    const wrong = { ...other, text: other.text.replace('"initial": "', '"initial": "no-') };
    expect(await writer.writeChanges({ changes: [wrong] })).toMatchObject({
      outcome: 'problems',
      problems: [{ file: flow }],
    });
    expect(await writer.writeChanges({ changes: [other] })).toMatchObject({ outcome: 'written', partial: false });
  });

  test('does not undo a change that a later change needs', async () => {
    const notices = [
      await change(ui, { pointer: '/notices/nuevo', value: { intent: 'info', text: 'Nuevo.' } }),
      await change(pt, { pointer: '/notices/nuevo', value: { text: 'Novo.' } }),
    ];
    expect(await writer.writeChanges({ changes: notices })).toMatchObject({ outcome: 'written', partial: false });
    const { undo } = await writer.findHistory();
    const flow = 'flows/contacto.json';
    const branch = { guard: { 'error.code': 'demasiados_intentos' }, notice: 'nuevo' };
    const raised = await change(flow, { pointer: '/states/formulario/on/submit/onError', value: branch });
    expect(await writer.writeChanges({ changes: [raised] })).toMatchObject({ outcome: 'written' });
    expect(await writer.undoOrRedo('undo', undo?.id ?? '')).toMatchObject({
      outcome: 'problems',
      problems: [{ file: flow }],
    });
    expect(await onDisk(ui)).toContain('"nuevo"');
  });

  test('creates a new file with its folder, and undo removes the file', async () => {
    const file = 'tests/fixtures/nueva.json';
    const edits = [{ pointer: '/cases/valid', value: { note: 'x' } }];
    expect(await writer.writeChanges({ changes: [{ file, base: null, edits }] })).toMatchObject({
      outcome: 'written',
    });
    expect(await onDisk(file)).toBe('{ "cases": { "valid": { "note": "x" } } }\n');
    await turn('undo');
    await expect(onDisk(file)).rejects.toThrow('ENOENT');
  });

  test('rejects a path that is not a screen, flow or case', async () => {
    for (const file of [
      '../outside.json',
      'schemas/../../outside.json',
      'schemas/_formats/ui.schema.json',
      'schemas/contacto/../feedback/ui.json',
      '/etc/hosts.json',
      'schemas/contacto/ui.json\n',
      'schemas\\contacto\\ui.json',
      'plugins/phone/texts.json',
      'package.json',
      'flows/.hidden.json',
    ]) {
      const answer = await writer.writeChanges({ changes: [{ file, base: null, text: '{}' }] });
      expect([file, answer]).toEqual([file, { outcome: 'refused', reason: 'file' }]);
    }
  });

  test('rejects links that leave their folder, and files that are too large', async () => {
    await symlink(join(copy, 'schemas/feedback/ui.json'), join(copy, 'flows/link.json'));
    await symlink(tmpdir(), join(copy, 'schemas/away'));
    for (const file of ['flows/link.json', 'schemas/away/ui.json'])
      expect(await writer.writeChanges({ changes: [{ file, base: null, text: '{}' }] })).toMatchObject({
        reason: 'file',
      });
    for (const file of ['schemas/../portal.yaml', 'schemas/contacto/../../portal.yaml', '../x.json', '/etc/passwd'])
      expect(await writer.writeChanges({ changes: [{ file, base: null, text: '{}' }] })).toMatchObject({
        reason: 'file',
      });
    const text = JSON.stringify({ title: 'x'.repeat(300_000) });
    expect(await writer.writeChanges({ changes: [{ ...(await change(ui)), text }] })).toMatchObject({ reason: 'size' });
  });

  test('reads no file through a link that leaves its folder, and neither does the compiler', async () => {
    const secret = '{ "title": "SECRETO", "secreto": 1 }';
    await writeFile(join(copy, 'portal.json'), secret);
    await mkdir(join(copy, 'elsewhere'));
    await writeFile(join(copy, 'elsewhere/ui.json'), secret);
    await symlink('../../portal.json', join(copy, 'schemas/feedback/ui.fr.json'));
    await symlink('../portal.json', join(copy, 'flows/linked.json'));
    await symlink('../elsewhere', join(copy, 'schemas/linked'));
    for (const folder of ['definitions/walks', 'fixtures'])
      await mkdir(join(copy, 'tests', folder), { recursive: true });
    await symlink('../../../portal.json', join(copy, 'tests/definitions/walks/linked.json'));
    await symlink('../../portal.json', join(copy, 'tests/fixtures/linked.json'));
    for (const file of [
      'schemas/feedback/ui.fr.json',
      'flows/linked.json',
      'schemas/linked/ui.json',
      'tests/definitions/walks/linked.json',
      'tests/fixtures/linked.json',
    ])
      expect(await readVersionedFile(copy, file), file).toEqual({ file, version: null, text: '' });
    const options = { ...createDefinitionOptions(root), root: copy };
    const { problems } = await tryLoadDefinitions(options, new DefinitionLoadCache());
    const text = JSON.stringify(problems);
    for (const file of ['schemas/linked/ui.json', 'flows/linked.json']) expect(text).toContain(file);
    expect(text.toLowerCase()).not.toContain('secreto');
    const set = await readStudioDefinitions(copy, {
      current: await productDefinitions,
      problems: [],
    } as unknown as LiveDefinitions); // a partial fake: the writer reads only these properties
    expect(JSON.stringify(set)).not.toContain('SECRETO');
  });

  test('rejects a folder of definitions that is a link', async () => {
    const folder = join(copy, 'linked');
    await mkdir(folder);
    await symlink(join(copy, 'schemas'), join(folder, 'schemas'));
    await symlink(join(copy, 'flows'), join(folder, 'flows'));
    const file = 'schemas/contacto/ui.json';
    expect(await readVersionedFile(folder, file)).toEqual({ file, version: null, text: '' });
    const { definitions, problems } = await tryLoadDefinitions(
      { ...createDefinitionOptions(root), root: folder },
      new DefinitionLoadCache(),
    );
    expect(definitions).toBeNull();
    expect(problems.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining('it leads out of schemas')]),
    );
  });
});
