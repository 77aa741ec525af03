import { beforeAll, describe, expect, test } from 'vitest';
import type { Definitions } from '../../src/engine/compiler/definitions.ts';
import { changed, good, load } from './support/project.ts';

let definitions: Definitions;
beforeAll(async () => {
  const loaded = await load(good);
  if (!loaded.definitions) throw new Error(JSON.stringify(loaded.problems));
  definitions = loaded.definitions;
});

const check = (values: Record<string, unknown>, language = 'es') => definitions.check('form', values, { language, context: {} });
const fine = { email: 'a@b.uy', repeat: 'a@b.uy', secret: 'largo y secreto', kind: 'a', terms: true };

describe('[VAL-09] the compiled validator', () => {
  const refused: readonly (readonly [note: string, values: Record<string, unknown>, errors: Record<string, string>])[] = [
    ['nothing', {}, { email: 'Falta', terms: 'Falta' }],
    ['empty text is no value', { ...fine, email: '', repeat: '' }, { email: 'Falta' }],
    ['a limit in its message', { ...fine, secret: 'corto' }, { secret: 'Mínimo 8' }],
    ['length counts characters, not halves of them', { ...fine, secret: '😀😀😀😀' }, { secret: 'Mínimo 8' }],
    ['wrong type', { ...fine, email: 7, repeat: undefined }, { email: 'Tipo' }],
    ['choice', { ...fine, kind: 'z' }, { kind: 'Opción' }],
    ['a rule of a plugin', { ...fine, repeat: 'otro' }, { repeat: expect.any(String) as unknown as string }],
    ['unticked consent', { ...fine, terms: false }, { terms: 'Debe aceptarse' }],
    ['unknown field', { ...fine, nivel: 3 }, { nivel: 'Sobra' }],
    ['inherited names are unknown fields', JSON.parse('{"email":"a@b.uy","terms":true,"__proto__":{"x":1},"constructor":1}') as Record<string, unknown>, { constructor: 'Sobra', ['__proto__']: 'Sobra' }],
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

describe('[ENG-03] the module of a screen', () => {
  test('holds no compiler, no require and no code from text', () => {
    for (const { source } of definitions.modules) expect(source).not.toMatch(/require\(|new Function|eval\(|import /);
  });

  test('[ANA-01] a changed text changes the address, not the version of the rules', async () => {
    const { definitions: other } = await load(changed('schemas/form/ui.json', (c: Record<string, unknown>) => (c.title = 'Otro')));
    expect(other?.manifest('es').screens.form?.url).not.toBe(definitions.manifest('es').screens.form?.url);
    expect(other?.screenVersion('form')).toBe(definitions.screenVersion('form'));
    expect(other?.version).not.toBe(definitions.version);
  });

  test('[ANA-01] a changed rule changes the version', async () => {
    const { definitions: other } = await load(changed('schemas/form/schema.json', (c: Record<string, Record<string, Record<string, unknown>>>) => (c.properties!.secret!.minLength = 9)));
    expect(other?.screenVersion('form')).not.toBe(definitions.screenVersion('form'));
  });

  test('[CFG-02] each language has its module and its texts', () => {
    expect(definitions.ui('form', 'pt').title).toBe('Formulário');
    expect(definitions.manifest('pt').screens.form?.url).not.toBe(definitions.manifest('es').screens.form?.url);
  });

  test('[RUTA-01] routes come from the states with a path', () => {
    expect(definitions.manifest('es').routes).toEqual([
      { path: '/form', flow: 'main', state: 'form', screen: 'form', access: 'anyone', chrome: 'full', calls: ['save'] },
      { path: '/done', flow: 'main', state: 'done', screen: 'done', access: 'anyone', chrome: 'full' },
    ]);
  });
});
