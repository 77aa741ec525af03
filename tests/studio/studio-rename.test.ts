import { readdirSync, readFileSync } from 'node:fs';
import { cp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { planRename, createRenaming, applyRenaming } from '../../src/studio/server/rename/plan-rename.ts';
import { loadDefinitions, loadUncheckedDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import type { LoweredDefinitions } from '../../src/engine/compiler/pipeline.ts';
import { DefinitionLoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { createDefinitionOptions } from '../../src/server/app/definition-options.ts';
import type { RenameRequest } from '../../src/studio/studio-api-types.ts';
import { root } from '../definitions/support/fixtures.ts';
import { copyFlow } from '../engine/support/flow-copy.ts';

const options = createDefinitionOptions(root);
const cache = new DefinitionLoadCache();
let read: LoweredDefinitions;
beforeAll(async () => {
  read = await loadUncheckedDefinitions(options, cache);
});

const plan = (kind: RenameRequest['kind'], of: string, from: string, to: string, own = options) =>
  planRename(own, { kind, of, from, to }, (request) => new DefinitionWriter(own, cache).writeChanges(request), cache);

/** Plans a rename whose result must compile. Returns the changed lines, each with its file. */
async function listChangedLines(...wish: Parameters<typeof plan>): Promise<readonly string[]> {
  const { refused, files, answer } = await plan(...wish);
  expect([refused, answer?.outcome]).toEqual([null, 'fine']);
  return files.flatMap(({ file, lines }) => lines.map(({ after }) => `${file}: ${after}`));
}

describe('[EST-10] renaming', () => {
  test('changes a state in its flow, its progress and its scenarios, and no other name', async () => {
    const lines = await listChangedLines('state', 'elevacion', 'datos', 'persona');
    expect(lines).toEqual(
      expect.arrayContaining([
        'flows/elevacion.json: "progress": ["condiciones", "persona", "fecha", "confirmar"],',
        'flows/elevacion.json: "persona": {',
        'tests/definitions/walks/elevacion.json: "state": "persona"',
      ]),
    );
    expect(lines.join('\n')).not.toContain('elevacion-persona');
    expect(await listChangedLines('state', 'elevacion', 'cerrada', 'sin-acceso')).toContain(
      'flows/elevacion.json: "else": "sin-acceso"',
    );
    expect(lines.some((line) => !/^(flows|tests\/definitions\/walks)\/elevacion\.json: /.test(line))).toBe(false);
  });

  test('changes a field in rules, translations, cases, snapshots and scenarios', async () => {
    const lines = await listChangedLines('field', 'elevacion-aceptar', 'condiciones', 'leidas');
    for (const line of [
      'schemas/elevacion-aceptar/schema.json: "required": ["leidas"],',
      'schemas/elevacion-aceptar/schema.json: "properties": { "leidas": { "$ref": "../_shared/answers.json#/$defs/accepted" } }',
      'schemas/elevacion-aceptar/ui.json: "leidas": {',
      'tests/fixtures/elevacion-aceptar.json: "data": { "leidas": true },',
      'tests/definitions/walks/elevacion.json: "leidas": true',
    ])
      expect(lines).toContain(line);
    expect(lines.join('\n')).toMatch(/elevacion-aceptar\.txt: <input [^\n]*id="field-leidas"/);
    expect(
      lines.filter((line) => line.startsWith('flows/')),
      'a state of the same name is unchanged',
    ).toEqual([]);
    expect(await listChangedLines('field', 'seguridad-cierre-pedir', 'confirmacion', 'palabra')).toEqual(
      expect.arrayContaining([
        'schemas/seguridad-cierre-pedir/ui.json: "messages": { "palabra": { "pattern": "Para confirmar, escribí CERRAR." } },',
        'schemas/seguridad-cierre-pedir/ui.pt.json: "messages": { "palabra": { "pattern": "Para confirmar, escreva ENCERRAR." } },',
      ]),
    );
    const exception = [
      { rule: 'rule/dead', file: 'schemas/registro-correo/schema.json', pointer: '/properties/email/maxLength' },
    ];
    const renaming = createRenaming({ kind: 'field', of: 'registro-correo', from: 'email', to: 'correo' }, read);
    expect(applyRenaming('schemas/_lint.json', JSON.stringify(exception), renaming)).toContain(
      '/properties/correo/maxLength',
    );
  });

  test('changes a field in the later steps that read it', async () => {
    const { files } = await plan('field', 'registro-correo', 'email', 'correo'); // the compiler rejects this rename, because the server reads the field
    const lines = files.flatMap(({ file, lines: own }) => own.map(({ after }) => `${file}: ${after}`));
    expect(lines).toContainEqual(
      expect.stringMatching(/^schemas\/registro-contrasena\/schema\.json: "earlier": \["correo", /),
    );
    expect(lines.filter((line) => line.startsWith('schemas/registro-nombre/'))).toEqual([]);
  });

  test('changes a field or screen in the lists of uncovered rules and texts', async () => {
    expect(await listChangedLines('field', 'agenda-soporte', 'perfil_nombre', 'nombre_del_perfil')).toContain(
      'tests/definitions/uncovered-rules.json: "field": "nombre_del_perfil",',
    );
    const own = (kind: RenameRequest['kind'], from: string) =>
      createRenaming({ kind, of: 'login-llave', from, to: 'otro' }, read);
    const text = readFileSync(join(root, 'tests/definitions/uncovered-texts.json'), 'utf8');
    const pointers = (after: string) =>
      (JSON.parse(after) as { screen: string; pointer: string }[]).map(({ screen, pointer }) => `${screen}${pointer}`);
    expect(pointers(applyRenaming('tests/definitions/uncovered-texts.json', text, own('field', 'credential')))).toEqual(
      pointers(text).map((place) => place.replace('login-llave/fields/credential', 'login-llave/fields/otro')),
    );
    expect(
      pointers(applyRenaming('tests/definitions/uncovered-texts.json', text, own('screen', 'login-llave'))),
    ).toEqual(pointers(text).map((place) => place.replace('login-llave/', 'otro/')));
  });

  test('changes a field in other rules, computed fields, sections, params and its flow', () => {
    const field = createRenaming({ kind: 'field', of: 'registro-correo', from: 'email', to: 'correo' }, read);
    const inSchema = (text: string): unknown =>
      JSON.parse(applyRenaming('schemas/registro-correo/schema.json', text, field));
    const inUi = (content: object): unknown =>
      JSON.parse(applyRenaming('schemas/registro-correo/ui.json', JSON.stringify(content), field));
    const repeated =
      '{"properties":{"repetir_email":{"matches":{"field":"email"}},"otro":{"notSimilarTo":{"fields":["email"]}}}}';
    expect(inSchema(repeated)).toEqual({
      properties: { repetir_email: { matches: { field: 'correo' } }, otro: { notSimilarTo: { fields: ['correo'] } } },
    });
    expect(
      inSchema('{"computed":{"email":{"var":"form.email.x"}},"documentNumber":{"country":"email"},"enum":["email"]}'),
    ).toEqual({
      computed: { correo: { var: 'form.correo.x' } },
      documentNumber: { country: 'correo' },
      enum: ['email'],
    });
    const following = (name: string) => ({
      properties: { [name]: { enum: ['email'] }, grupo: { properties: { email: {} }, required: ['email'] } },
      allOf: [
        { if: { properties: { [name]: { const: 'email' } }, required: [name] }, then: { properties: { otro: {} } } },
        { if: { properties: { otro: {} } }, then: { properties: { [name]: { enum: ['email'] } } } },
      ],
    });
    expect(inSchema(JSON.stringify(following('email')))).toEqual(following('correo'));
    const within = (name: string) => ({
      fields: { [name]: { calle: { email: {} } } },
      visible: { [`${name}.calle`]: { var: `form.${name}.otra` } },
      messages: { [`${name}.calle`]: { required: 'email.calle' } },
    });
    expect(inUi(within('email'))).toEqual(within('correo'));
    const ui = {
      title: 'email',
      fields: {
        'ui:order': ['email', 'otro'],
        email: { 'ui:title': 'email' },
        otro: { 'ui:options': { typeField: 'email', params: { a: { var: 'form.email' } }, accept: 'email' } },
      },
      sections: [{ fields: ['otro', 'email'] }],
      visible: { email: { var: 'form.emails' }, otro: { '!': [{ var: 'form.email' }] } },
    };
    expect(inUi(ui)).toEqual({
      title: 'email',
      fields: {
        'ui:order': ['correo', 'otro'],
        correo: { 'ui:title': 'email' },
        otro: { 'ui:options': { typeField: 'correo', params: { a: { var: 'form.correo' } }, accept: 'email' } },
      },
      sections: [{ fields: ['otro', 'correo'] }],
      visible: { correo: { var: 'form.emails' }, otro: { '!': [{ var: 'form.correo' }] } },
    });
    const flow = {
      save: { without: ['/email'] },
      states: {
        correo: {
          screen: 'registro-correo',
          prefill: { email: 'context.email' },
          on: { submit: { clear: ['/email', '/otro'] } },
        },
        ajeno: { screen: 'login', on: { x: { guard: 'form.email' } } },
      },
    };
    expect(JSON.parse(applyRenaming('flows/registro.json', JSON.stringify(flow), field))).toEqual({
      save: { without: ['/correo'] },
      states: {
        correo: {
          screen: 'registro-correo',
          prefill: { correo: 'context.email' },
          on: { submit: { clear: ['/correo', '/otro'] } },
        },
        ajeno: { screen: 'login', on: { x: { guard: 'form.email' } } },
      },
    });
  });

  test('changes an event in buttons, translations and only the states of its screen', async () => {
    const lines = await listChangedLines('event', 'elevacion-aceptada', 'security', 'volver');
    expect(lines).toEqual([
      'schemas/elevacion-aceptada/ui.json: { "event": "volver", "text": "Ir a Seguridad" }',
      'schemas/elevacion-aceptada/ui.pt.json: "actions": { "secondFactor": "Ativar o duplo fator", "volver": "Ir para Segurança" }',
      'flows/elevacion.json: "volver": { "leave": "/seguridad" }',
    ]);
  });

  test('changes an event in translated buttons and links, and nothing else', () => {
    const renaming = createRenaming({ kind: 'event', of: 'login', from: 'again', to: 'otra' }, read);
    const translation = {
      title: 'again',
      fields: { again: { 'ui:title': 'x' }, links: { again: { 'ui:title': 'x' } } },
      messages: { again: { required: 'x' } },
      actions: { submit: 'x', again: ['y', 'z'] },
      links: { again: 'x', '/again': 'y' },
      aside: { parts: ['x', { title: 'y', links: { again: 'z' } }] },
      notices: { again: { text: 'x', link: { text: 'again' } } },
    };
    expect(JSON.parse(applyRenaming('schemas/login/ui.pt.json', JSON.stringify(translation), renaming))).toEqual({
      ...translation,
      actions: { submit: 'x', otra: ['y', 'z'] },
      links: { otra: 'x', '/again': 'y' },
      aside: { parts: ['x', { title: 'y', links: { otra: 'z' } }] },
    });
    const entry = (file: string, pointer: string) => ({ rule: 'text/plain', file, pointer, because: 'x' });
    const lint = (name: string) => [
      entry('schemas/login/ui.pt.json', `/actions/${name}/0`),
      entry('schemas/login/ui.pt.json', '/notices/again/text'),
      entry('schemas/otra/ui.pt.json', '/actions/again'),
    ];
    expect(JSON.parse(applyRenaming('schemas/_lint.json', JSON.stringify(lint('again')), renaming))).toEqual(
      lint('otra'),
    );
  });

  test('reports a problem if an operation or an option of the screen reads the old field', async () => {
    expect((await plan('field', 'registro-correo', 'email', 'correo')).answer).toMatchObject({
      outcome: 'problems',
      problems: expect.arrayContaining([
        expect.objectContaining({
          message:
            'La operación "registerCitizen" lee el campo "email": sin quien programa no se puede quitar ni renombrar.',
        }),
      ]),
    });
    expect((await plan('field', 'agenda-soporte-fecha', 'fecha', 'dia')).answer).toMatchObject({
      outcome: 'problems',
      problems: expect.arrayContaining([
        expect.objectContaining({ message: '"dateField" no nombra un campo: "fecha".' }),
      ]),
    });
  });

  test.each<[...Parameters<typeof plan>, string]>([
    ['field', 'registro-correo', 'email', 'con espacio', options, 'name'],
    ['field', 'registro-correo', 'email', '__proto__', options, 'name'],
    ['screen', 'registro', 'registro', '../otra', options, 'name'],
    ['screen', 'registro', 'registro', 'login', options, 'taken'],
    ['field', 'registro-correo', 'email', 'repetir_email', options, 'taken'],
    ['flow', 'elevacion', 'elevacion', 'ayuda', options, 'taken'],
    ['flow', 'elevacion', 'elevacion', '../ayuda', options, 'name'],
    ['flow', 'nada', 'nada', 'algo', options, 'unknown'],
    ['state', 'elevacion', 'datos', 'fecha', options, 'taken'],
    ['state', 'ingreso', 'needs-both', 'falta', options, 'taken'],
    ['field', 'registro', 'nada', 'algo', options, 'unknown'],
    ['field', '../../src', 'email', 'algo', options, 'unknown'],
    ['state', '../package', 'datos', 'algo', options, 'unknown'],
    ['event', 'registro', 'submit', 'enviar', options, 'own'],
    ['event', 'elevacion-aceptada', 'security', 'submit', options, 'own'],
  ])('is refused for a %s of %s from %s to %s', async (kind, of, from, to, own, reason) => {
    expect(await plan(kind, of, from, to, own)).toEqual({ refused: reason, changes: [], files: [], answer: null });
  });

  test('changes a field in data, changes and errors of cases, but not in values or names of cases', () => {
    const cases = (name: string) =>
      JSON.stringify({
        data: { [name]: 'email', otro: { email: 'x' } },
        context: { email: 'x' },
        cases: {
          email: { note: 'email', with: { [name]: 'email' }, errors: { [name]: 'email', [`${name}.0.x`]: 'email.0' } },
          lacking: { note: 'x', without: ['otro', name] },
          own: { note: 'x', data: { [name]: '' } },
        },
      });
    const renaming = createRenaming({ kind: 'field', of: 'contacto', from: 'email', to: 'correo' }, read);
    expect(applyRenaming('tests/fixtures/contacto.json', cases('email'), renaming)).toBe(cases('correo'));
  });

  test('changes a field in the names and notes of generated cases', () => {
    const cases = (name: string) =>
      JSON.stringify({
        cases: {
          [`propuesta-${name}-maxLength-1`]: { note: `Propuesta para maxLength +1 de "${name}": confirmá.` },
          [`propuesta-${name}`]: { note: 'Sin "email".' },
          'propuesta-email2-required': { note: 'Propuesta para required de "email2".' },
          [`con-${name}`]: { note: 'Con "email".' },
          [`con-${name}-2`]: { note: 'Con "email".' },
          'con-email-viejo': { note: 'x' },
        },
      });
    const renaming = createRenaming({ kind: 'field', of: 'contacto', from: 'email', to: 'correo' }, read);
    const after = applyRenaming('tests/fixtures/contacto.json', cases('email'), renaming);
    expect(after).toBe(cases('correo').replace('Sin \\"email\\"', 'Sin \\"correo\\"'));
    const nested = createRenaming({ kind: 'field', of: 'contacto', from: 'telefonos.items.numero', to: 'linea' }, read);
    const ofItems = (name: string) =>
      JSON.stringify({
        cases: { [`propuesta-telefonos.items.${name}-pattern`]: { note: `"telefonos.items.${name}"` } },
      });
    expect(applyRenaming('tests/fixtures/contacto.json', ofItems('numero'), nested)).toBe(ofItems('linea'));
  });

  test('moves a flow with its scenarios, and changes its exceptions', async () => {
    const { refused, files, answer } = await plan('flow', 'elevacion', 'elevacion', 'subir-de-nivel');
    expect([refused, answer?.outcome]).toEqual([null, 'fine']);
    expect(files.map(({ file, path }) => [file, path])).toEqual([
      ['flows/elevacion.json', 'flows/subir-de-nivel.json'],
      ['tests/definitions/walks/elevacion.json', 'tests/definitions/walks/subir-de-nivel.json'],
      ['schemas/_lint.json', 'schemas/_lint.json'],
    ]);
    expect(files.at(-1)?.lines.map(({ after }) => after)).toContain('"file": "flows/subir-de-nivel.json",');
  });

  test('restores every file if each name of the product is renamed there and back', () => {
    const files = ['schemas', 'flows', 'tests/fixtures', 'tests/definitions/walks']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
      )
      .filter((file) => /\.(json|txt)$/.test(file) && !/\/_/.test(file))
      .concat('schemas/_lint.json');
    const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
    const wishes = [
      ...read.flows.flatMap(({ id, states }) =>
        Object.keys(states).map((from): RenameRequest => ({ kind: 'state', of: id, from, to: 'otro-nombre' })),
      ),
      ...read.screens.flatMap(({ id, ui }): readonly RenameRequest[] => [
        ...Object.keys(ui.fields ?? {})
          .filter((from) => !from.startsWith('ui:'))
          .map((from): RenameRequest => ({ kind: 'field', of: id, from, to: 'otro_nombre' })),
        ...(ui.actions ?? []).map(({ event }): RenameRequest => ({
          kind: 'event',
          of: id,
          from: event,
          to: 'otroEvento',
        })),
      ]),
    ];
    expect(wishes.length).toBeGreaterThan(300);
    for (const wish of wishes) {
      const own = (file: string): boolean =>
        wish.kind === 'state'
          ? file.endsWith(`/${wish.of}.json`)
          : file.includes(`/${wish.of}/`) || /^(flows|tests\/definitions)\//.test(file);
      const there = createRenaming(wish, read);
      const changed = [...texts].flatMap(([file, text]) => {
        const after = own(file) ? applyRenaming(file, text, there) : text;
        return after === text ? [] : [[file, text, after] as const];
      });
      expect(changed.length, JSON.stringify(wish)).toBeGreaterThan(0);
      const { states, ...rest } = { states: read.flows, set: read.set };
      const flows =
        wish.kind !== 'state'
          ? states
          : states.map((flow) =>
              flow.id !== wish.of
                ? flow
                : {
                    ...flow,
                    states: Object.fromEntries(
                      Object.entries(flow.states).map(([name, state]) => [name === wish.from ? wish.to : name, state]),
                    ),
                  },
            );
      const back = createRenaming({ ...wish, from: wish.to, to: wish.from }, { ...rest, flows });
      for (const [file, text, after] of changed)
        expect(applyRenaming(file, after, back), `${JSON.stringify(wish)} ${file}`).toBe(text);
    }
  });

  test('moves folder and cases of a screen, updates its flow, and one undo restores all of it', async () => {
    const { options: own, remove } = await copyFlow('flows/elevacion.json');
    const copy = own.root;
    try {
      for (const name of [
        'tests/fixtures/elevacion-aceptada.txt',
        'tests/fixtures/elevacion-aceptada.json',
        'tests/definitions/walks/elevacion.json',
        'schemas/_lint.json',
      ])
        await cp(join(root, name), join(copy, name));
      const before = await readFile(join(copy, 'flows/elevacion.json'), 'utf8');
      const { changes, files } = await plan('screen', 'elevacion-aceptada', 'elevacion-aceptada', 'nivel-subido', own);
      expect(files.map(({ file, path }) => [file, path])).toContainEqual([
        'schemas/elevacion-aceptada/ui.json',
        'schemas/nivel-subido/ui.json',
      ]);
      const writer = new DefinitionWriter(own, cache);
      const written = await writer.writeChanges({ changes });
      expect(written.outcome).toBe('written');
      const drawn = await readFile(join(copy, 'tests/fixtures/nivel-subido.txt'), 'utf8');
      expect(drawn).toContain('data-screen="nivel-subido"');
      const folders = async () => (await readdir(join(copy, 'schemas'))).filter((name) => /aceptada|subido/.test(name));
      expect(await folders()).toEqual(['nivel-subido']);
      expect(await readFile(join(copy, 'flows/elevacion.json'), 'utf8')).toBe(
        before.replace('"screen": "elevacion-aceptada"', '"screen": "nivel-subido"'),
      );
      expect((await loadDefinitions(own, cache)).screens.has('nivel-subido')).toBe(true);
      const { undo } = await writer.findHistory();
      expect(await writer.undoOrRedo('undo', undo?.id ?? '')).toMatchObject({ outcome: 'written' });
      expect(await folders()).toEqual(['elevacion-aceptada']);
      expect(await readFile(join(copy, 'flows/elevacion.json'), 'utf8')).toBe(before);
    } finally {
      await remove();
    }
  });
});
