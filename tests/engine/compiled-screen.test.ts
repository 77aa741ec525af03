import { beforeAll, describe, expect, test } from 'vitest';
import type { Definitions } from '../../src/engine/compiler/definitions.ts';
import { changeSample, sampleProject, loadProject } from './support/project.ts';

let definitions: Definitions;
beforeAll(async () => {
  const loaded = await loadProject(sampleProject);
  if (!loaded.definitions) throw new Error(JSON.stringify(loaded.problems));
  definitions = loaded.definitions;
});

const check = (values: Record<string, unknown>, language = 'es') =>
  definitions.check('form', values, { language, context: {} });
const fine = { email: 'a@b.uy', repeat: 'a@b.uy', secret: 'largo y secreto', kind: 'a', terms: true };

describe('the compiled validator', () => {
  const refused: readonly (readonly [note: string, values: Record<string, unknown>, errors: Record<string, string>])[] =
    [
      ['nothing', {}, { email: 'Falta', terms: 'Falta' }],
      ['empty text is no value', { ...fine, email: '', repeat: '' }, { email: 'Falta' }],
      ['a limit in its message', { ...fine, secret: 'corto' }, { secret: 'Mínimo 8' }],
      ['length counts characters, not halves of them', { ...fine, secret: '😀😀😀😀' }, { secret: 'Mínimo 8' }],
      ['wrong type', { ...fine, email: 7, repeat: undefined }, { email: 'Tipo' }],
      ['choice', { ...fine, kind: 'z' }, { kind: 'Opción' }],
      ['a rule of a plugin', { ...fine, repeat: 'otro' }, { repeat: expect.any(String) as unknown as string }],
      ['unticked consent', { ...fine, terms: false }, { terms: 'Debe aceptarse' }],
      ['unknown field', { ...fine, nivel: 3 }, { nivel: 'Sobra' }],
      [
        'inherited names are unknown fields',
        JSON.parse('{"email":"a@b.uy","terms":true,"__proto__":{"x":1},"constructor":1}') as Record<string, unknown>,
        { constructor: 'Sobra', ['__proto__']: 'Sobra' },
      ],
    ];

  test.each(refused)('refuses: %s', (_, values, errors) => {
    expect(Object.entries(check(values).errors).sort()).toEqual(Object.entries(errors).sort());
  });

  test('takes right values as they are', () => {
    expect(check(fine)).toEqual({ data: fine, errors: {} });
  });

  test('[ENG-02] prunes what is hidden and asks nothing of it', () => {
    expect(check({ ...fine, extra: 'x' }).data).toEqual(fine);
    expect(check({ ...fine, kind: 'b', extra: 'x' }).data).toHaveProperty('extra', 'x');
  });
});

describe('[ENG-02] hidden fields', () => {
  // `extra` is visible if `kind` is b. `more` is visible if `extra` has a value, `less` if it has none. All three are
  // required.
  const project = async () => {
    type Content = Record<string, Record<string, unknown>>;
    const schema = changeSample('schemas/form/schema.json', (c: Content) => {
      c.required = [...(c.required as unknown as string[]), 'extra', 'more', 'less'] as never;
      Object.assign(c.properties!, { more: { type: 'string', minLength: 3 }, less: { type: 'string' } });
    });
    const fields = { more: { 'ui:title': 'Otro' }, less: { 'ui:title': 'Menos' } };
    const ui = changeSample('schemas/form/ui.json', (c: Content) => {
      Object.assign(c.fields!, fields);
      Object.assign(c.visible!, { more: { var: 'form.extra' }, less: { '!': { var: 'form.extra' } } });
    });
    const pt = changeSample('schemas/form/ui.pt.json', (c: Content) => Object.assign(c.fields!, fields));
    const [uiPath, ptPath] = ['schemas/form/ui.json', 'schemas/form/ui.pt.json'] as const;
    const { definitions: loaded, problems } = await loadProject({
      ...schema,
      [uiPath]: ui[uiPath],
      [ptPath]: pt[ptPath],
    });
    expect(problems).toEqual([]);
    return (values: Record<string, unknown>) =>
      loaded!.check('form', { ...fine, ...values }, { language: 'es', context: {} });
  };

  test('are not required, and checked by nothing', async () => {
    const validate = await project();
    expect(validate({ less: 'x' })).toEqual({ data: { ...fine, less: 'x' }, errors: {} });
    expect(validate({ more: 'x', less: 'x' })).toEqual({ data: { ...fine, less: 'x' }, errors: {} });
    expect(validate({ kind: 'b', less: 'x' }).errors).toEqual({ extra: 'Falta' });
    expect(validate({ kind: 'b', extra: 'x', less: 'x' })).toEqual({
      data: { ...fine, kind: 'b', extra: 'x' },
      errors: { more: 'Falta' },
    });
    expect(validate({ kind: 'b', extra: 'x', more: 'x' }).errors).toEqual({ more: 'Mínimo 3' });
  });

  test('show and hide no other by what they hold', async () => {
    const validate = await project();
    expect(validate({ extra: 'x', more: 'largo', less: 'x' })).toEqual({ data: { ...fine, less: 'x' }, errors: {} });
    expect(validate({ extra: 'x', more: 'largo' }).errors).toEqual({ less: 'Falta' });
  });
});

describe('[ENG-03] the module of a screen', () => {
  test('holds no compiler, no require and no code from text', () => {
    for (const { source } of definitions.modules) expect(source).not.toMatch(/require\(|new Function|eval\(|import /);
  });

  test('[ANA-01] a changed text changes the address, not the version of the rules', async () => {
    const { definitions: other } = await loadProject(
      changeSample('schemas/form/ui.json', (c: Record<string, unknown>) => (c.title = 'Otro')),
    );
    expect(other?.manifest('es').screens.form?.url).not.toBe(definitions.manifest('es').screens.form?.url);
    expect(other?.screenVersion('form')).toBe(definitions.screenVersion('form'));
    expect(other?.version).not.toBe(definitions.version);
  });

  test('[ANA-01] a changed rule changes the version', async () => {
    const { definitions: other } = await loadProject(
      changeSample(
        'schemas/form/schema.json',
        (c: Record<string, Record<string, Record<string, unknown>>>) => (c.properties!.secret!.minLength = 9),
      ),
    );
    expect(other?.screenVersion('form')).not.toBe(definitions.screenVersion('form'));
  });

  test('[CFG-02] each language has its module and its texts', () => {
    expect(definitions.ui('form', 'pt').title).toBe('Formulário');
    expect(definitions.manifest('pt').screens.form?.url).not.toBe(definitions.manifest('es').screens.form?.url);
  });

  test('[CFG-02] the files without a suffix are in the language that the project says', async () => {
    const twins = Object.entries(sampleProject).map(
      ([path, content]) => [path.replace('.pt.', '.es.'), content] as const,
    );
    const { definitions: other, problems } = await loadProject(Object.fromEntries(twins), { baseLanguage: 'pt' });
    expect(problems).toEqual([]);
    expect(other?.languages).toEqual(['pt', 'es']);
    expect(['pt', 'es', 'fr'].map((language) => other?.ui('form', language).title)).toEqual([
      'Formulario',
      'Formulário',
      'Formulario',
    ]);
    expect(
      other?.check('form', { ...fine, repeat: 'otro' }, { language: 'pt', context: {} }).errors,
      'and so do plugins speak',
    ).toEqual({ repeat: 'Os valores devem ser iguais' });
    expect(other?.screenVersion('form')).toBe(definitions.screenVersion('form'));
  });

  test('[RUTA-01] routes come from the states with a path', () => {
    expect(definitions.manifest('es').routes).toEqual([
      {
        path: '/form',
        flow: 'main',
        state: 'form',
        screen: 'form',
        access: 'anyone',
        chrome: 'full',
        operations: ['save'],
      },
      { path: '/done', flow: 'main', state: 'done', screen: 'done', access: 'anyone', chrome: 'full' },
    ]);
  });
});

describe('what is hard to compile', () => {
  type Properties = Record<string, Record<string, unknown>>;
  const compiled = async (
    fields: Properties,
    ui: Record<string, unknown> = {},
    visible: Record<string, unknown> = {},
  ) => {
    const schema = changeSample('schemas/form/schema.json', (c: Record<string, Properties>) =>
      Object.assign(c.properties!, fields),
    );
    const labels = Object.fromEntries(
      Object.keys(fields).map((name) => [name, { 'ui:title': name, ...(ui[name] as object | undefined) }]),
    );
    const both = ['schemas/form/ui.json', 'schemas/form/ui.pt.json'].map((path) => [
      path,
      changeSample(path, (c: Record<string, Properties>) => {
        Object.assign(c.fields!, labels);
        if (path.endsWith('ui.json')) Object.assign(c.visible!, visible);
      })[path],
    ]);
    const messages = {
      ...(sampleProject['schemas/_shared/messages.json'] as object),
      multipleOf: 'Múltiplo',
      items: 'Lista',
      minItems: 'Al menos {limit}',
      uniqueItems: 'Repetido',
    };
    const { definitions: loaded, problems } = await loadProject({
      ...schema,
      ...(Object.fromEntries(both) as object),
      'schemas/_shared/messages.json': messages,
      'schemas/_shared/messages.pt.json': messages,
    });
    expect(problems).toEqual([]);
    return {
      loaded: loaded!,
      errors: (values: Record<string, unknown>) =>
        loaded!.check('form', { ...fine, ...values }, { language: 'es', context: {} }).errors,
    };
  };

  test('a choice that reads as code is a text', async () => {
    const codes = [
      'require("x")',
      'export const v0 = v1;',
      'require("ajv/dist/runtime/equal").default',
      '"use strict";',
      '\\',
      '`${1}`',
      '*/',
    ];
    const { errors } = await compiled(
      { extra: { type: 'string', enum: codes } },
      { extra: { 'ui:enumNames': codes.map((_, index) => `Opción ${index}`) } },
      { extra: true },
    );
    for (const extra of codes) expect(errors({ extra }), extra).toEqual({});
    expect(errors({ extra: 'export const v0 = v0;' })).toEqual({ extra: 'Opción' });
  });

  test('decimals are multiples as people count', async () => {
    const { errors } = await compiled({ price: { type: 'number', multipleOf: 0.01 } });
    for (const price of [19.99, 0.07, 1.1, 4.35, 100000.01]) expect(errors({ price }), String(price)).toEqual({});
    for (const price of [19.999, 0.001]) expect(errors({ price }), String(price)).toEqual({ price: 'Múltiplo' });
  });

  test('several of a list are checked one by one, and none of them is no value', async () => {
    const { errors, loaded } = await compiled(
      { ways: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 2, uniqueItems: true } },
      { ways: { 'ui:enumNames': ['A', 'B', 'C'] } },
    );
    expect(errors({ ways: ['a', 'c'] })).toEqual({});
    expect(errors({ ways: ['a'] })).toEqual({ ways: 'Al menos 2' });
    expect(errors({ ways: ['a', 'a'] })).toEqual({ ways: 'Repetido' });
    expect(errors({ ways: ['a', 'z'] })).toEqual({ ways: 'Opción' });
    expect(loaded.check('form', { ...fine, ways: [] }, { language: 'es', context: {} }).data).toEqual(fine);
  });

  test('a rule with missing or with a deeper variable is run again when its fields change', async () => {
    const { loaded } = await compiled(
      { one: { type: 'string' }, two: { type: 'string' }, three: { type: 'string' } },
      {},
      {
        one: { missing: ['form.email'] },
        two: { missing_some: [1, ['form.email', 'form.kind']] },
        three: { '!!': { var: 'form.email.length' } },
      },
    );
    const source = loaded.modules.find(({ url }) => url.includes('/form.es.'))?.source ?? '';
    const { screen } = (await import(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`)) as {
      screen: { fields: { name: string; dependents: string[] }[] };
    };
    const dependents = (name: string) => screen.fields.find((plan) => plan.name === name)?.dependents.toSorted();
    expect(dependents('email')).toEqual(['one', 'repeat', 'three', 'two']);
    expect(dependents('kind')).toEqual(['extra', 'two']);
  });
});
