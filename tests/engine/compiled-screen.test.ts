import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { changeSample, sampleProject, loadProject } from './support/project.ts';

let definitions: ServedDefinitions;
beforeAll(async () => {
  const loaded = await loadProject(sampleProject);
  if (!loaded.definitions) throw new Error(JSON.stringify(loaded.problems));
  definitions = loaded.definitions;
});

const check = (values: Record<string, unknown>, language = 'es') =>
  definitions.check('form', values, { language, context: {} });
const fine = { email: 'a@b.uy', repeat: 'a@b.uy', secret: 'largo y secreto', kind: 'a', terms: true };

describe('compiled validator', () => {
  const refused: readonly (readonly [note: string, values: Record<string, unknown>, errors: Record<string, string>])[] =
    [
      ['an empty form', {}, { email: 'Falta', terms: 'Falta' }],
      ['an empty text in a required field', { ...fine, email: '', repeat: '' }, { email: 'Falta' }],
      ['a short text, with the limit in its message', { ...fine, secret: 'corto' }, { secret: 'Mínimo 8' }],
      ['a text that is too short in code points', { ...fine, secret: '😀😀😀😀' }, { secret: 'Mínimo 8' }],
      ['a value of another type', { ...fine, email: 7, repeat: undefined }, { email: 'Tipo' }],
      ['an unknown choice', { ...fine, kind: 'z' }, { kind: 'Opción' }],
      [
        'a value that a plugin rule refuses',
        { ...fine, repeat: 'otro' },
        { repeat: expect.any(String) as unknown as string },
      ],
      ['an unticked consent', { ...fine, terms: false }, { terms: 'Debe aceptarse' }],
      ['an unknown field', { ...fine, nivel: 3 }, { nivel: 'Sobra' }],
      [
        'unknown fields named like inherited properties',
        JSON.parse('{"email":"a@b.uy","terms":true,"__proto__":{"x":1},"constructor":1}') as Record<string, unknown>,
        { constructor: 'Sobra', ['__proto__']: 'Sobra' },
      ],
    ];

  test.each(refused)('rejects %s', (_, values, errors) => {
    expect(Object.entries(check(values).errors).sort()).toEqual(Object.entries(errors).sort());
  });

  test('returns valid values unchanged', () => {
    expect(check(fine)).toEqual({ data: fine, errors: {} });
  });

  test('[ENG-02] removes the value of a hidden field, and keeps the value of a visible one', () => {
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

  test('are neither required nor validated', async () => {
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

  test('do not make other fields visible or hidden through their values', async () => {
    const validate = await project();
    expect(validate({ extra: 'x', more: 'largo', less: 'x' })).toEqual({ data: { ...fine, less: 'x' }, errors: {} });
    expect(validate({ extra: 'x', more: 'largo' }).errors).toEqual({ less: 'Falta' });
  });
});

describe('[ENG-03] compiled module of a screen', () => {
  test('contains no import, no require and no code built from strings', () => {
    for (const { source } of definitions.modules) expect(source).not.toMatch(/require\(|new Function|eval\(|import /);
  });

  test('[ANA-01] changes its URL but not the version of its rules if a text changes', async () => {
    const { definitions: other } = await loadProject(
      changeSample('schemas/form/ui.json', (c: Record<string, unknown>) => (c.title = 'Otro')),
    );
    expect(other?.manifest('es').screens.form?.url).not.toBe(definitions.manifest('es').screens.form?.url);
    expect(other?.screenVersion('form')).toBe(definitions.screenVersion('form'));
    expect(other?.version).not.toBe(definitions.version);
  });

  test('[ANA-01] changes the version of its rules if a rule changes', async () => {
    const { definitions: other } = await loadProject(
      changeSample(
        'schemas/form/schema.json',
        (c: Record<string, Record<string, Record<string, unknown>>>) => (c.properties!.secret!.minLength = 9),
      ),
    );
    expect(other?.screenVersion('form')).not.toBe(definitions.screenVersion('form'));
  });

  test('[CFG-02] exists once per language, with the texts of that language', () => {
    expect(definitions.ui('form', 'pt').title).toBe('Formulário');
    expect(definitions.manifest('pt').screens.form?.url).not.toBe(definitions.manifest('es').screens.form?.url);
  });

  test('[CFG-02] uses the configured base language for files without a language suffix', async () => {
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
      'message of the plugin in Portuguese',
    ).toEqual({ repeat: 'Os valores devem ser iguais' });
    expect(other?.screenVersion('form')).toBe(definitions.screenVersion('form'));
  });

  test('[RUTA-01] has a route in the manifest for each state with a path', () => {
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

describe('compiled validator of unusual schemas', () => {
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

  test('treats choices that look like code as plain strings', async () => {
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

  test('accepts decimal multiples without rounding errors', async () => {
    const { errors } = await compiled({ price: { type: 'number', multipleOf: 0.01 } });
    for (const price of [19.99, 0.07, 1.1, 4.35, 100000.01]) expect(errors({ price }), String(price)).toEqual({});
    for (const price of [19.999, 0.001]) expect(errors({ price }), String(price)).toEqual({ price: 'Múltiplo' });
  });

  test('validates each choice of an array field, and treats an empty array as no value', async () => {
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

  test('evaluates rules with `missing` or nested variables again when their fields change', async () => {
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
