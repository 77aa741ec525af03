import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { compareDefinitions } from '../../src/engine/compiler/compare/compare-definitions.ts';
import format from '../../src/engine/compiler/formats/translation.schema.json' with { type: 'json' };
import { loadUncheckedDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import {
  pairTextsWithTranslations,
  indexTextsByPointer,
  extractTextTree,
  buildTranslation,
  replaceTexts,
} from '../../src/engine/compiler/shared/translation.ts';
import type { Json } from '../../src/engine/core/json.ts';
import { sampleProject, loadProject, copyAsTranslation, writeProject, type Files } from './support/project.ts';

const [uiPath, ptPath] = ['schemas/form/ui.json', 'schemas/form/ui.pt.json'];

/** UI schema of the sample project's form, with every kind of list. */
const ui = {
  ...(sampleProject[uiPath] as object),
  title: [{ text: 'Hola', visible: { var: 'flags.on' } }, { text: 'Chau' }],
  intro: [
    { text: 'Primero', visible: { var: 'flags.on' } },
    { text: 'Después', link: { event: 'again', text: 'Otra vez' } },
  ],
  actions: [
    { event: 'submit', text: 'Enviar', primary: true, visible: { var: 'flags.on' } },
    { event: 'submit', text: 'Mandar' },
    { event: 'back', text: 'Volver' },
  ],
  links: [
    { event: 'again', text: 'De nuevo' },
    { to: '/done', text: 'Ver' },
  ],
  aside: {
    title: 'Otras',
    parts: [
      { title: 'Una', links: [{ to: '/done', text: 'Ir' }], visible: { var: 'flags.on' } },
      { title: 'Dos', visible: { var: 'flags.on' } },
    ],
  },
};
const pt = {
  ...copyAsTranslation(ui),
  title: ['Oi', 'Tchau'],
  intro: ['Primeiro', { text: 'Depois', link: { text: 'Outra vez' } }],
  actions: { submit: ['Enviar', 'Mandar já'], back: 'Voltar' },
  links: { again: 'De novo', '/done': 'Ver isto' },
  aside: { title: 'Outras', parts: [{ title: 'Uma', links: { '/done': 'Ir lá' } }, 'Duas'] },
};
const flow = structuredClone(sampleProject['flows/main.json']) as { states: { form: { on: Record<string, unknown> } } };
flow.states.form.on['again'] = 'form';
/** The sample project with `ui` and its translation. `change` overrides keys of the translation. */
const project = (change: object = {}): Files => ({
  ...sampleProject,
  [uiPath]: ui,
  [ptPath]: { ...pt, ...change },
  'flows/main.json': flow,
});

describe('[ENG-01 ANA-01] translation', () => {
  test('contains only texts: those of a list by event or address, and otherwise in their order', async () => {
    const { definitions, problems } = await loadProject(
      project({ $schema: '../_formats/translation.schema.json', $comment: 'x' }),
    );
    expect(problems).toEqual([]);
    expect(definitions?.ui('form', 'pt')).toMatchObject({
      title: [{ text: 'Oi', visible: { var: 'flags.on' } }, { text: 'Tchau' }],
      intro: [
        { text: 'Primeiro', visible: { var: 'flags.on' } },
        { text: 'Depois', link: { event: 'again', text: 'Outra vez' } },
      ],
      actions: [
        { event: 'submit', text: 'Enviar', primary: true, visible: { var: 'flags.on' } },
        { event: 'submit', text: 'Mandar já' },
        { event: 'back', text: 'Voltar' },
      ],
      links: [
        { event: 'again', text: 'De novo' },
        { to: '/done', text: 'Ver isto' },
      ],
      aside: { parts: [{ title: 'Uma', links: [{ to: '/done', text: 'Ir lá' }] }, { title: 'Duas' }] },
    });
  });

  test('contains no entry for a part or a key without a text', () => {
    const own: Json = {
      title: 'Hola',
      notices: {},
      visible: { a: true },
      'ui:order': ['b'],
      rows: [{ value: 1 }, { text: 'x' }],
    };
    const tree = extractTextTree(own);
    expect(tree && buildTranslation(tree, ({ pointer }) => pointer)).toEqual({
      title: '/title',
      rows: ['/rows/1/text'],
    });
  });

  test('has the pointer of each text of every screen and shared definition, and changes nothing else', () => {
    const root = resolve(import.meta.dirname, '../../schemas');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(^|\/)ui\.json$|^_shared\/[\w-]+\.json$/.test(name))
      .filter((name) =>
        readdirSync(join(root, name, '..')).includes(name.replace(/^.*\//, '').replace(/json$/, 'pt.json')),
      );
    expect(files.length).toBeGreaterThan(100);
    for (const name of files) {
      const base = JSON.parse(readFileSync(join(root, name), 'utf8')) as Json;
      const pairs = pairTextsWithTranslations(base, copyAsTranslation(base) as Json);
      expect(pairs.map(({ pointer, translated }) => [pointer, translated]).sort(), name).toEqual(
        [...indexTextsByPointer(base)].sort(),
      );
      const marked = replaceTexts(base, new Map(pairs.map(({ pointer }) => [pointer, `«${pointer}»`])));
      expect(
        [...indexTextsByPointer(marked)].every(([pointer, text]) => text === `«${pointer}»`),
        name,
      ).toBe(true);
      expect(replaceTexts(marked, indexTextsByPointer(base)), name).toEqual(base);
    }
  });
});

describe('[ANA-02] compiler checks of translations', () => {
  test.each<[note: string, change: object, pointer: string, message: string, hint: RegExp]>([
    [
      'without a text',
      { links: { again: 'x' } },
      '/links/~1done',
      'Falta el texto de /links/~1done.',
      /Traducí ".+", que está en schemas\/form\/ui\.json/,
    ],
    [
      'without a list',
      { intro: undefined },
      '/intro',
      'Faltan los textos de /intro.',
      /^Agregalos acá, traducidos: \["Primero",/,
    ],
    [
      'with an empty text',
      { actions: { ...pt.actions, back: '' } },
      '/actions/back',
      'Falta el texto de /actions/back.',
      /Trad/,
    ],
    [
      'with the text of an event that ui.json lacks',
      { links: { agian: 'x', again: 'y', '/done': 'z' } },
      '/links/agian',
      'schemas/form/ui.json no tiene un texto con esta clave.',
      /^Quitala acá, o agregala ahí\.$/,
    ],
    [
      'with a rule',
      { visible: { extra: true } },
      '/visible',
      '"visible" no es un texto para traducir.',
      /va solo en schemas\/form\/ui\.json/,
    ],
    [
      'with a rule of an entry of several texts',
      { aside: { title: 'x', parts: [{ title: 'Uma', links: { '/done': 'x' }, visible: true }, 'y'] } },
      '/aside/parts/0/visible',
      '"visible" no es un texto para traducir.',
      /va solo en/,
    ],
    [
      'with a rule beside the text of an entry',
      { actions: { submit: ['a', 'b'], back: { text: 'Voltar', primary: true } } },
      '/actions/back',
      'Acá va un solo texto.',
      /^Escribí "…"\. Las reglas, los eventos y las direcciones van solo en schemas\/form\/ui\.json\.$/,
    ],
    [
      'with fewer texts than entries',
      { intro: ['Primeiro'] },
      '/intro',
      'Acá va una lista de 2 textos, en el orden de schemas/form/ui.json.',
      /^Escribí \["…",\{"text":"…","link":\{"text":"…"\}\}\]\./,
    ],
    [
      'with one text for two entries of a name',
      { actions: { submit: 'Enviar', back: 'Voltar' } },
      '/actions/submit',
      'Acá va una lista de 2 textos, en el orden de schemas/form/ui.json.',
      /^Escribí \["…","…"\]\./,
    ],
    [
      'with more texts than entries',
      { actions: { submit: ['a', 'b'], back: ['c', 'd'] } },
      '/actions/back',
      'Acá va un solo texto.',
      /Escribí "…"/,
    ],
    [
      'with one text instead of several',
      { aside: 'Outras' },
      '/aside',
      'Acá va un objeto con una clave para cada texto.',
      /^Escribí \{"title":"…","parts":\[\{"title":"…","links":\{"\/done":"…"\}\},"…"\]\}\./,
    ],
    [
      'written for the format of screens',
      { $schema: '../_formats/ui.schema.json' },
      '/$schema',
      'Una traducción tiene su propio formato.',
      /^Escribí "\.\.\/_formats\/translation\.schema\.json"\.$/,
    ],
  ])('report a translation %s', async (_note, change, pointer, message, hint) => {
    const { problems } = await loadProject(project(change), { language: 'es' });
    const found = problems.find((problem) => problem.pointer === pointer);
    expect(found, JSON.stringify(problems)).toMatchObject({ file: ptPath, pointer, message });
    expect(found?.hint).toMatch(hint);
    expect(problems.filter(({ file }) => file !== ptPath)).toEqual([]);
  });

  test('report each translated key once, with the key that it replaces', async () => {
    const [submit, back] = [pt.actions.submit, pt.actions.back];
    const { problems } = await loadProject(project({ actions: { prosseguir: submit, retornar: back } }), {
      language: 'es',
    });
    expect(problems.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/actions/prosseguir La clave de este texto es acá "prosseguir", y en schemas/form/ui.json es "submit".',
      '/actions/retornar La clave de este texto es acá "retornar", y en schemas/form/ui.json es "back".',
    ]);
  });

  test('report the old list format with the exact texts to write', async () => {
    const former = {
      intro: [
        { text: 'Primeiro', visible: { var: 'flags.on' } },
        { text: 'Depois', link: { event: 'again', text: 'Outra vez' } },
      ],
      actions: [
        { event: 'submit', text: 'Enviar', primary: true, visible: { var: 'flags.on' } },
        { event: 'submit', text: 'Mandar já' },
        { event: 'back', text: 'Voltar' },
      ],
      links: [
        { event: 'again', text: 'De novo' },
        { to: '/done', text: 'Ver' },
      ],
    };
    const { problems } = await loadProject(project(former), { language: 'es' });
    const said = Object.fromEntries(
      problems.map(({ pointer, hint }) => [pointer, hint.replace(/\. Las reglas.*/, '')]),
    );
    expect(said).toEqual({
      '/intro/0': 'Escribí "Primeiro"',
      '/intro/1/link/event': 'Quitalo: va solo en schemas/form/ui.json.',
      '/actions': 'Escribí {"submit":["Enviar","Mandar já"],"back":"Voltar"}',
      '/links': 'Escribí {"again":"De novo","/done":"Ver"}',
    });
    const [first] = problems.filter(({ pointer }) => pointer === '/actions');
    expect(first?.line).toBeGreaterThan(1);
  });

  test('ignore an earlier translation in the old format when two versions are compared', async () => {
    const earlier = await writeProject(project({ links: [{ event: 'again', text: 'De novo' }] }));
    const now = await writeProject(project({ title: ['Olá', 'Tchau'] }));
    const [before, after] = await Promise.all([earlier, now].map(({ options }) => loadUncheckedDefinitions(options)));
    expect(before?.screens.find(({ id }) => id === 'form')?.uis.has('pt')).toBe(false);
    expect(before && after && compareDefinitions(before, after, {})).toEqual([]);
    await Promise.all([earlier.remove(), now.remove()]);
  });

  test('report an unknown variable at its text in the translation', async () => {
    const { problems } = await loadProject(project({ links: { again: '{nadie}', '/done': 'Ver' } }));
    expect(problems).toMatchObject([
      { file: ptPath, pointer: '/links/again', message: expect.stringMatching(/\{nadie\}/) },
    ]);
  });
});

describe('[ANA-02] JSON Schema of translations', () => {
  const validate = new Ajv2020({ strict: false }).compile(format);
  const root = resolve(import.meta.dirname, '../../schemas');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.pt.json') && !/_shared\/(messages|texts)/.test(name),
  );

  test('is referenced by every translation and accepts it', () => {
    expect(files.length).toBeGreaterThan(100);
    for (const name of files) {
      const content = JSON.parse(readFileSync(join(root, name), 'utf8')) as { $schema?: string };
      expect([name, content.$schema]).toEqual([name, '../_formats/translation.schema.json']);
      expect(validate(content), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
    }
    expect(validate(pt)).toBe(true);
  });

  test.each([
    { actions: [{ event: 'submit', text: 'Enviar' }] },
    { actions: { submit: { text: 'Enviar', primary: true } } },
    { intro: [{ text: 'x', visible: true }] },
    { visible: { extra: true } },
    { notices: { again: { intent: 'info', text: 'x' } } },
    { title: '' },
    { fields: { a: { 'ui:widget': 'text' } } },
  ])('rejects %j', (content) => {
    expect(validate(content)).toBe(false);
  });
});
