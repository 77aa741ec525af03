// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import spanish from '../../schemas/_shared/messages.json' with { type: 'json' };
import { draw } from '../definitions/support/draw.tsx';
import { createTitledFields } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

afterEach(cleanup);

const form = {
  schema: {
    type: 'object',
    properties: {
      n: { type: 'number', multipleOf: 0.01 },
      k: { type: 'integer', minimum: -1.5 },
      small: { type: 'number' },
      total: { type: 'number' },
    },
    computed: { total: { '*': [{ var: 'form.n' }, 1000] } },
  },
  ui: { fields: createTitledFields({ n: 'Importe', k: 'Cantidad', small: 'Chico', total: 'Total' }) },
};

async function openForm(values: object = {}) {
  const { definitions, problems } = await loadProject({
    ...createFormFiles(form),
    'schemas/_shared/messages.json': spanish,
  });
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  const screen = await importScreen(definitions, 'sample');
  const draft = screen.open(values as Record<string, unknown>, {});
  if (!draft) throw new Error('The form has fields.');
  return { definitions, screen, draft };
}

const input = (label: RegExp) => page.getByLabelText<HTMLInputElement>(label);
const typeInto = (label: RegExp, value: string) =>
  act(async () => void fireEvent.change(input(label), { target: { value } }));

describe('[ENG-19] form with number fields', () => {
  test('reads and shows numbers in the language of the page', async () => {
    const { screen, draft } = await openForm({ n: 1234.5, small: 1e-7 });
    await draw(screen, draft, {});
    expect([input(/^Importe/).value, input(/^Chico/).value]).toEqual(['1234,5', '0,0000001']);
    expect(page.getByText('1.234.500')).toBeDefined();
    await typeInto(/^Importe/, '1.234');
    await typeInto(/^Cantidad/, '12 000');
    expect([draft.values['n'], draft.values['k'], input(/^Importe/).value]).toEqual([1234, 12_000, '1.234']);
    expect((await draft.submitPrepared())?.data).toEqual({ n: 1234, k: 12_000, small: 1e-7, total: 1_234_000 });
  });

  test.each([
    ['k', '1,000', 'type.ambiguous'],
    ['k', '0x10', 'type.number'],
    ['k', '1e3', 'type.number'],
    ['k', '9007199254740993', 'type.inexact'],
    ['k', '12,5', 'type.integer'],
    ['n', '1.234.5', 'type.ambiguous'],
    ['n', '99999999999999999999', 'type.inexact'],
  ] as const)(
    'rejects in the field %s the input %s with the message %s, in browser and server',
    async (name, typed, key) => {
      const { definitions, screen, draft } = await openForm();
      await draw(screen, draft, {});
      await typeInto(name === 'k' ? /^Cantidad/ : /^Importe/, typed);
      await act(async () => void fireEvent.blur(input(name === 'k' ? /^Cantidad/ : /^Importe/)));
      expect(await draft.submitPrepared()).toBeNull();
      expect([input(name === 'k' ? /^Cantidad/ : /^Importe/).value, draft.field(name)?.error]).toEqual([
        typed,
        spanish[key],
      ]);
      const sent = { [name]: draft.field(name)?.value };
      expect(definitions.check('sample', sent, { language: 'es', context: {} }).errors).toEqual({
        [name]: spanish[key],
      });
    },
  );

  test('rejects on the server numbers that a double cannot represent exactly', async () => {
    const { definitions } = await openForm();
    const errorsOf = (sent: object) =>
      definitions.check('sample', sent as Record<string, unknown>, { language: 'es', context: {} }).errors;
    expect(errorsOf({ k: JSON.parse('9007199254740993') as number })).toEqual({ k: spanish['type.inexact'] });
    expect(errorsOf({ small: 1e20 })).toEqual({ small: spanish['type.inexact'] });
    expect(errorsOf({ k: Number.MAX_SAFE_INTEGER, n: 1234567.89 })).toEqual({});
    expect(errorsOf({ n: 0.0100000001 }), 'no tolerance for multiples').toEqual({ n: 'Ingresá un múltiplo de 0,01.' });
    expect(errorsOf({ k: -2 })).toEqual({ k: 'Ingresá un número mayor o igual que -1,5.' });
  });
});
