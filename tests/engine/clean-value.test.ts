import { beforeAll, describe, expect, test } from 'vitest';
import { createCleaner, cleanerTransformNames } from '../../src/engine/core/cleaning/create-cleaner.ts';
import type { JsonObject } from '../../src/engine/core/json.ts';
import { validateScreenForm, pruneFormValues } from '../../src/engine/core/validate-screen-form.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreens } from './support/loaded-screens.ts';
import { changeSample } from './support/project.ts';

type Files = {
  properties: Record<string, unknown>;
  required: string[];
  fields: Record<string, unknown>;
  messages: Record<string, unknown>;
};

const properties = {
  name: { type: 'string', pattern: '^[a-záéíóúñ ]+$', maxLength: 50 },
  short: { type: 'string', maxLength: 6 },
  message: { type: 'string', maxLength: 50 },
  address: { type: 'string', format: 'email' },
  city: { type: 'string', enum: ['Ñandú', 'd’Ávila'] },
  password: { type: 'string', writeOnly: true },
  code: { type: 'string', pattern: '^[0-9A-Z]*$', maxLength: 6, writeOnly: true },
};
const titles = (language: string) => ({
  name: { 'ui:title': `Nombre ${language}` },
  short: { 'ui:title': `Corto ${language}` },
  message: { 'ui:title': `Mensaje ${language}`, 'ui:widget': 'textarea' },
  address: { 'ui:title': `Correo ${language}`, 'ui:widget': 'email' },
  city: { 'ui:title': `Ciudad ${language}`, 'ui:enumNames': ['Ñandú', 'Raro'] },
  password: { 'ui:title': `Contraseña ${language}`, 'ui:widget': 'password' },
  code: { 'ui:title': `Código ${language}`, 'ui:options': { transform: 'code' } },
});

let form: LoadedScreen;

beforeAll(async () => {
  const edit = (path: string, change: (content: Files) => void) =>
    changeSample(path, (c) => change(c as unknown as Files))[path];
  const ui = (language: string) => (content: Files) => Object.assign(content.fields, titles(language));
  const withoutRules = (language: string) => {
    const own = titles(language);
    for (const field of Object.values(own) as Record<string, unknown>[])
      for (const key of ['ui:widget', 'ui:options']) delete field[key];
    return own;
  };
  const screens = await loadScreens({
    ...changeSample('schemas/form/ui.json', (c) => ui('es')(c as unknown as Files)),
    'schemas/form/ui.pt.json': edit('schemas/form/ui.pt.json', (c) => Object.assign(c.fields, withoutRules('pt'))),
    'schemas/form/schema.json': edit('schemas/form/schema.json', (c) => {
      Object.assign(c.properties, properties);
      c.required.push('name', 'message');
    }),
  });
  form = screens.form!;
});

const check = (values: JsonObject) => validateScreenForm(form.validator, values, {});

describe('[ENG-18] cleaning of form values', () => {
  test('treats blanks, line breaks and invisible characters as an empty value', () => {
    for (const nothing of ['   ', '\u00a0\u3000', '\u200b\u2060', '\n\n', '\u2800']) {
      const { errors, data } = check({ name: nothing, message: nothing });
      expect(Object.keys(errors)).toEqual(expect.arrayContaining(['name', 'message']));
      expect(data).toEqual({});
    }
  });

  test.each<[field: string, given: unknown, stored: unknown]>([
    ['address', 'ana@correo.uy\u200b', 'ana@correo.uy'],
    ['address', '\u200eana@correo.uy', 'ana@correo.uy'],
    ['name', 'josé', 'josé'],
    ['name', 'jose\u0301', 'josé'],
    ['name', 'nin\u0303o', 'niño'],
    ['short', 'e\u0301'.repeat(4), 'éééé'],
    ['short', ' \u200bsiete6 ', 'siete6'],
    ['message', ' uno\r\n\u00a0dos\n', 'uno\n dos'],
    ['city', 'N\u0303andu\u0301 ', 'Ñandú'],
    ['city', 'd’Ávila', 'd’Ávila'],
    ['password', ' e\u0301\u200b ', ' é\u200b '],
    ['code', 'ab–12 ３\u200b', 'AB123'],
    ['nothing', ' a ', ' a '],
  ])('cleans the value of %s from %j to %j', (field, given, stored) => {
    expect(pruneFormValues(form.validator, { [field]: given as string }, {})).toEqual({ [field]: stored });
    const { errors } = check({ [field]: given as string });
    if (field !== 'nothing') expect(errors).not.toHaveProperty(field);
  });

  test('cleans values in the open form as on the server', () => {
    const draft = form.open({}, {})!;
    draft.field('name')?.set('jose\u0301\u200b');
    draft.field('code')?.set('ab 1–23');
    expect([draft.field('name')?.value, draft.field('code')?.value]).toEqual(['josé', 'AB123']);
    expect(draft.visibleValues).toMatchObject({ name: 'josé', code: 'AB123' });
  });
});

describe('createCleaner', () => {
  const cleaned = (options: JsonObject, value: unknown, schema: JsonObject = { type: 'string' }) =>
    createCleaner(
      { title: 'T', fields: { a: { 'ui:options': options } } },
      { name: 'a', schema, secret: false },
    )(value);

  test.each<[options: JsonObject, given: unknown, kept: unknown]>([
    [{ transform: 'lowercase' }, ' Ñandú ', 'ñandú'],
    [{ transform: 'uppercase' }, ' Ñandú ', 'ÑANDÚ'],
    [{ transform: 'trim' }, ' Ñandú ', 'Ñandú'],
    [{ transform: 'code' }, ' a-1 ', 'A1'],
    [{}, ' Ñandú ', 'Ñandú'],
    [{ transform: 'other' }, ' Ñandú ', 'Ñandú'],
    [{ transform: 'trim' }, 7, 7],
    [{ transform: 'trim' }, undefined, undefined],
    [{ source: 'getCountries' }, ' Ñandú ', ' Ñandú '],
  ])('applies the options %j to %j and returns %j', (options, given, kept) => {
    expect(cleaned(options, given)).toEqual(kept);
  });

  test('leaves constants and fields that are not strings unchanged', () => {
    expect(cleaned({ transform: 'trim' }, ' 7 ', { type: 'integer' })).toBe(' 7 ');
    expect(cleaned({}, ' a ', { type: 'string', const: ' a ' })).toBe(' a ');
  });

  test('cleans each choice of an array field', () => {
    const schema = { type: 'array', items: { type: 'string', enum: ['é', 'd’b'] } };
    expect(cleaned({}, ['e\u0301 ', 'd’b', 7], schema)).toEqual(['é', 'd’b', 7]);
    expect(cleaned({}, 'e\u0301 ', schema)).toBe('e\u0301 ');
  });

  test('leaves the array of a list field unchanged', () => {
    const items = [' a '];
    const clean = createCleaner({ title: 'T' }, { name: 'a', schema: { type: 'array' }, secret: false, item: [] });
    expect(clean(items)).toBe(items);
  });

  test('supports exactly four transforms', () => {
    expect(cleanerTransformNames).toEqual(['lowercase', 'uppercase', 'trim', 'code']);
  });
});
