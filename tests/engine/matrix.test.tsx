// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen as page, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { draw, waitForWidgets } from '../definitions/support/draw.tsx';
import { createObjectSchema, text, createTitledFields } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

afterEach(cleanup);

const grade = { type: 'string', enum: ['bad', 'good'] } as const;
const names = { 'ui:enumNames': ['Mala', 'Buena'] };
const rows = createTitledFields({ speed: 'Rapidez', care: 'Trato' }, { care: { 'ui:help': 'De la gente' } });
const schema = createObjectSchema({ service: createObjectSchema({ speed: grade, care: grade }, ['speed']) }, [
  'service',
]);
const matrix = { 'ui:title': 'Servicio', 'ui:widget': 'matrix', ...names };

describe('[ENG-15] matrix widget', () => {
  test('is a table whose headers name each choice, and shows an error in its row', async () => {
    const { definitions } = await loadProject(
      createFormFiles({ schema, ui: { fields: { service: { ...matrix, ...rows } } } }),
    );
    const screen = await importScreen(definitions!, 'sample');
    const draft = screen.open({}, {})!;
    await draw(screen, draft, {}, () => undefined);
    const table = await page.findByRole('table', { name: 'Servicio' });
    const headersOf = (role: string) =>
      within(table)
        .getAllByRole(role)
        .map((own) => own.textContent);
    expect(headersOf('columnheader')).toEqual(['Mala', 'Buena']);
    expect(headersOf('rowheader')).toEqual(['Rapidez', 'Trato optionalDe la gente']);
    expect(within(table).getAllByRole('radio', { name: /^(Rapidez|Trato optional) (Mala|Buena)$/ })).toHaveLength(4);
    within(table).getByRole('radio', { name: 'Trato optional Mala', description: 'De la gente' });
    await act(async () => void draft.submit());
    await waitForWidgets();
    const row = within(table).getByRole('rowheader', { name: 'Rapidez' }).parentElement!;
    within(row).getByRole('radio', { name: 'Rapidez Mala', description: 'Falta' });
    const good = within(table).getByRole<HTMLInputElement>('radio', { name: 'Rapidez Buena' });
    expect(document.getElementById('field-service-speed')?.closest('tr')).toBe(row);
    await act(async () => void fireEvent.click(good));
    expect(good.checked).toBe(true);
    expect(within(row).queryByText('Falta')).toBeNull();
    expect(draft.values).toEqual({ service: { speed: 'good' } });
  });

  test.each<readonly [of: string, fields: object, ui: object, message: RegExp]>([
    [
      'other choices in a row',
      { speed: grade, care: { ...grade, enum: ['good'] } },
      matrix,
      /"service.care" of the matrix has different columns/,
    ],
    [
      'a row without choices',
      { speed: grade, care: text },
      matrix,
      /"service.care" of the matrix has different columns/,
    ],
    ['an object as a row', { speed: createObjectSchema({ a: grade }) }, matrix, /its rows must be fields/],
    [
      'columns without a matrix',
      { speed: grade, care: grade },
      { 'ui:title': 'S', ...names },
      /"ui:enumNames" has no effect on an object/,
    ],
    [
      'another widget',
      { speed: grade, care: grade },
      { 'ui:title': 'S', 'ui:widget': 'table' },
      /"ui:widget" has no effect on an object/,
    ],
  ])('is rejected by the compiler with %s, with what to write instead', async (_, fields, ui, message) => {
    const { problems } = await loadProject(
      createFormFiles({
        schema: createObjectSchema({ service: createObjectSchema(fields) }),
        ui: { fields: { service: { ...ui, ...rows } } },
      }),
    );
    const [found] = problems.filter((problem) => message.test(problem.message));
    expect(found).toMatchObject({
      file: 'schemas/sample/ui.json',
      pointer: expect.stringMatching(/^\/fields\/service/),
    });
    expect(found?.hint).toMatch(/matrix/);
  });

  test('is rejected by the compiler inside a list', async () => {
    const list = {
      type: 'array',
      maxItems: 2,
      items: createObjectSchema({ service: createObjectSchema({ speed: grade }, ['speed']) }, ['service']),
    };
    const ui = { fields: { list: { 'ui:title': 'L', items: { 'ui:title': 'I', service: { ...matrix, ...rows } } } } };
    const { problems } = await loadProject(createFormFiles({ schema: createObjectSchema({ list }), ui }));
    expect(problems.map(({ message }) => message)).toContain(
      'A matrix must be at the top level of the form, and its rows must be fields.',
    );
  });
});
