// @vitest-environment happy-dom
import './support/count-components.ts';
import { act, cleanup, fireEvent, screen as page, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { pickSavedForm } from '../../src/engine/core/saved-journey.ts';
import { draw } from '../definitions/support/draw.tsx';
import { countRenderedComponents } from './support/count-components.ts';
import { requiredValues, compileListForm, createListForm, openListForm, type Change } from './support/list-form.ts';
import { loadProject } from './support/project.ts';

afterEach(cleanup);

const text = { type: 'string', maxLength: 20 };
const jobs = {
  type: 'array',
  maxItems: 3,
  items: {
    type: 'object',
    required: ['at'],
    properties: { at: text, kind: { type: 'string', enum: ['x', 'other'] }, which: text },
  },
};
const jobsUi = {
  'ui:title': 'Trabajos',
  items: {
    'ui:title': 'Trabajo',
    at: { 'ui:title': 'Dónde' },
    kind: { 'ui:title': 'Clase', 'ui:enumNames': ['Equis', 'Otra'] },
    which: { 'ui:title': 'Cuál' },
  },
};
const rows = { type: 'array', maxItems: 3, items: { type: 'array', minItems: 2, maxItems: 3, items: text } };
const rowsUi = { 'ui:title': 'Filas', items: { 'ui:title': 'Fila', items: { 'ui:title': 'Celda' } } };

/** Changes that add two nested lists to the form: people with their jobs, and rows of cells. */
const nested: Change = {
  schema: ({ properties }) => {
    delete properties.kin.minItems;
    properties.kin.items.properties.jobs = structuredClone(jobs);
    properties.rows = structuredClone(rows);
  },
  ui: ({ fields, visible }) => {
    fields.kin.items.jobs = structuredClone(jobsUi);
    fields.rows = structuredClone(rowsUi);
    visible['kin.items.jobs'] = { '==': [{ var: 'item.kind' }, 'son'] };
    visible['kin.items.jobs.items.which'] = { '==': [{ var: 'item.kind' }, 'other'] };
  },
  pt: ({ fields }) => {
    fields.kin.items.jobs = jobsUi;
    fields.rows = rowsUi;
  },
};
const ana = { name: 'Ana', kind: 'son', jobs: [{ at: 'Rivera', kind: 'other', which: 'Feria' }, { at: 'Salto' }] };
const eva = { name: 'Eva', kind: 'son', jobs: [{ at: 'Melo' }] };

async function open(values: Readonly<Record<string, unknown>>) {
  const { screen, draft } = await openListForm(values, nested);
  await draw(screen, draft, {});
  return draft;
}

const group = (name: string, of: HTMLElement = document.body) => within(of).getByRole('group', { name });
const press = (name: string, of: HTMLElement = document.body) =>
  act(() => within(of).getByRole('button', { name }).click());

describe('[ENG-06] list in a list', () => {
  test.each([
    { note: 'without errors', given: { kin: [ana, eva], rows: [['a', 'b']] }, errors: {} },
    {
      note: 'with errors at each depth',
      given: { kin: [{ ...ana, jobs: [{ kind: 'x' }, { at: 'A'.repeat(21) }] }, { name: 'Eva' }], rows: [['a'], []] },
      errors: {
        'kin.0.jobs.0.at': 'Falta',
        'kin.0.jobs.1.at': 'Máximo 20',
        'kin.1.kind': 'Falta',
        'rows.0': 'Agregá al menos 2',
        'rows.1': 'Falta',
      },
    },
    { note: 'with an empty value', given: { rows: [['a', '']] }, errors: { 'rows.0.1': 'Falta' } },
  ])('is validated alike in browser and server for values $note', async ({ given, errors }) => {
    const definitions = await compileListForm(nested);
    const values = { ...requiredValues, ...given };
    expect(definitions.check('form', values, { language: 'es', context: {} }).errors).toEqual(errors);
    const { draft } = await openListForm(values, nested);
    expect([draft.ready, draft.incomplete]).toEqual([Object.keys(errors).length === 0, Object.keys(errors).length]);
    const sent = draft.submit();
    expect(Object.fromEntries(draft.errors)).toEqual(errors);
    expect([...draft.refusedAtSubmit].sort()).toEqual(Object.keys(errors).sort());
    if (Object.keys(errors).length === 0) expect(sent?.data).toEqual(values);
  });

  test('rejects on the server values that no browser sends', async () => {
    const definitions = await compileListForm(nested);
    const check = (given: object) =>
      definitions.check('form', { ...requiredValues, ...given }, { language: 'es', context: {} }).errors;
    expect(check({ rows: [{ 0: 'a' }] })).toEqual({ 'rows.0': 'Tipo' });
    expect(check({ rows: ['a'] })).toEqual({ 'rows.0': 'Tipo' });
    expect(check({ rows: [[['a'], 'b']] })).toEqual({ 'rows.0.0': 'Tipo' });
    expect(check({ rows: [['a', 'b', 'c', 'd']] })).toEqual({ 'rows.0': 'Hasta 3' });
    expect(check({ kin: [{ ...ana, jobs: [{ at: 'x', more: 1 }] }] })).toEqual({ 'kin.0.jobs.0.more': 'Sobra' });
    expect(check({ kin: [{ ...ana, jobs: 'x' }] })).toEqual({ 'kin.0.jobs': 'Tipo' });
  });

  test('shows its fields by the values of their own item, and sends no hidden value', async () => {
    const { draft } = await openListForm({ kin: [ana, { ...eva, kind: 'other' }] }, nested);
    expect(draft.field('kin.0.jobs.0.which')?.visible).toBe(true);
    expect(draft.field('kin.0.jobs.1.which')?.visible).toBe(false);
    expect(draft.field('kin.1.jobs')?.visible).toBe(false);
    draft.field('kin.0.jobs.0.kind')?.set('x');
    const wanted = {
      kin: [
        { ...ana, jobs: [{ at: 'Rivera', kind: 'x' }, { at: 'Salto' }] },
        { name: 'Eva', kind: 'other' },
      ],
    };
    expect(draft.submit()?.data).toMatchObject(wanted);
    const definitions = await compileListForm(nested);
    const sent = {
      ...requiredValues,
      kin: [
        { ...ana, jobs: [{ ...ana.jobs[0], kind: 'x' }, ana.jobs[1]] },
        { ...eva, kind: 'other' },
      ],
    };
    expect(definitions.check('form', sent, { language: 'es', context: {} }).data).toEqual({
      ...requiredValues,
      ...wanted,
    });
  });

  test('shows server errors at its fields, and resets to its initial items', async () => {
    const { draft } = await openListForm({ kin: [ana, eva], rows: [['a', 'b']] }, nested);
    draft.refuse({ 'kin.1.jobs.0.at': 'No figura.', 'rows.0.1': 'No existe.', 'rows.0.7': 'Otro.' }, null);
    expect(draft.refusedAtSubmit).toEqual(['kin.1.jobs.0.at', 'rows.0.1']);
    expect([draft.formError, draft.ready]).toEqual(['Otro.', false]);
    expect([
      draft.findFieldLabel('kin.1.jobs.0.at'),
      draft.findFieldLabel('rows.0.1'),
      draft.findFieldLabel('rows.0'),
    ]).toEqual(['Familiar 2, Trabajo 1, Dónde', 'Fila 1, Celda 2', 'Fila 1']);
    const field = draft.field('kin.1.jobs.0.at')!;
    expect(draft.findFieldName(field)).toBe('kin.1.jobs.0.at');
    field.set('Minas');
    draft.field('rows.0.1')?.set('c');
    expect([draft.errors, draft.ready]).toEqual([[], true]);
    draft.reset();
    expect(draft.values).toMatchObject({ kin: [ana, eva], rows: [['a', 'b']] });
  });

  test('runs beforeSubmit of its fields', async () => {
    const { draft } = await openListForm({ kin: [ana], rows: [['a', 'b']] }, nested);
    draft.field('rows.0.1')?.beforeSubmit(() => Promise.resolve({ refused: 'Falta tu llave' }));
    expect(await draft.submitPrepared()).toBeNull();
    expect(draft.errors).toEqual([['rows.0.1', 'Falta tu llave']]);
  });

  test('is drawn once under the title of its item, with unique ids', async () => {
    await open({
      kin: [ana, eva],
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    });
    const second = group('Familiar 2');
    expect(within(group('Trabajo 1', second)).getByRole('textbox', { name: 'Dónde' })).toHaveProperty('value', 'Melo');
    expect(within(second).getByRole('textbox', { name: 'Dónde' }).id).toBe('field-kin-1-jobs-0-at');
    const row = group('Fila 2');
    expect(
      within(row)
        .getAllByRole('textbox')
        .map(({ id }) => id),
    ).toEqual(['field-rows-1-0', 'field-rows-1-1']);
    expect(page.getAllByText('Fila 2')).toHaveLength(1);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
  });

  test('changes at each depth with its own buttons, which keep the focus', async () => {
    const draft = await open({
      kin: [ana, eva],
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    });
    press('Agregar Trabajo', group('Familiar 2'));
    expect(document.activeElement?.id).toBe('field-kin-1-jobs-1-at');
    fireEvent.change(document.activeElement!, { target: { value: 'Minas' } });
    press('Bajar Trabajo 1', group('Familiar 2'));
    expect(document.activeElement?.textContent).toBe('Subir Trabajo 2');
    expect(draft.values.kin).toEqual([ana, { ...eva, jobs: [{ at: 'Minas' }, { at: 'Melo' }] }]);
    press('Bajar Familiar 1');
    expect(document.activeElement?.textContent, 'button of its own list').toBe('Subir Familiar 2');
    press('Quitar Fila 1');
    expect(document.activeElement?.textContent).toBe('Fila 1');
    press('Deshacer');
    press('Agregar Fila');
    expect(document.activeElement?.textContent, 'focus on the button of an empty list').toBe('Agregar Celda');
    press('Quitar Fila 3');
    expect(document.activeElement?.textContent).toBe('Agregar Fila');
    expect(draft.values.rows).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('is linked from the error summary, which follows moved items', async () => {
    const draft = await open({ kin: [ana, { ...eva, jobs: [{}] }], rows: [['a', 'b'], ['c']] });
    act(() => void draft.submit());
    const links = () => page.getAllByRole('link').map(({ textContent }) => textContent);
    expect(links()).toEqual(['Familiar 2, Trabajo 1, Dónde: Falta', 'Fila 2: Agregá al menos 2']);
    fireEvent.click(page.getByRole('link', { name: /Dónde/ }));
    expect(document.activeElement?.id).toBe('field-kin-1-jobs-0-at');
    fireEvent.click(page.getByRole('link', { name: /Fila 2/ }));
    expect(document.activeElement).toBe(group('Fila 2'));
    press('Subir Familiar 2');
    press('Subir Fila 2');
    expect(links()).toEqual(['Familiar 1, Trabajo 1, Dónde: Falta', 'Fila 1: Agregá al menos 2']);
    fireEvent.click(page.getByRole('link', { name: /Dónde/ }));
    expect(document.activeElement?.id).toBe('field-kin-0-jobs-0-at');
  });

  test('renders on a keystroke as many components as a field outside', async () => {
    await open({
      kin: [ana, eva],
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    });
    const type = (id: string, value: string) =>
      countRenderedComponents(() =>
        act(() => void fireEvent.change(document.getElementById(id)!, { target: { value } })),
      );
    const beside = type('field-email', 'c@d.uy');
    expect(beside).toBeGreaterThan(0);
    expect([type('field-kin-1-jobs-0-at', 'Minas'), type('field-rows-1-0', 'e')]).toEqual([beside, beside]);
  });

  test('is saved with its outer items, without files', async () => {
    const { draft } = await openListForm({}, nested);
    const given = { kin: [ana, { ...eva, jobs: [{ at: 'data:,x' }] }], rows: [['a', 'data:,x'], 'b'] };
    const saved = { kin: [ana, { ...eva, jobs: [{}] }], rows: [['a']] };
    expect(pickSavedForm(draft.validator.screen, {}, given)).toEqual(saved);
  });

  test.each<[note: string, change: Change, pointer: string, message: RegExp]>([
    [
      'without maxItems',
      { schema: ({ properties }) => delete properties.rows.items.maxItems },
      '/properties/rows/items',
      /has no maximum length/,
    ],
    [
      'with a maxItems too large for the outer list',
      { schema: ({ properties }) => (properties.kin.items.properties.jobs.maxItems = 17) },
      '/properties/kin/items/properties/jobs/maxItems',
      /has no maximum length/,
    ],
    [
      'with an item that may be empty',
      { schema: ({ properties }) => delete properties.kin.items.properties.jobs.items.required },
      '/properties/kin/items/properties/jobs/items',
      /may be empty/,
    ],
    [
      'with a third level',
      { schema: ({ properties }) => (properties.rows.items.items = structuredClone(rows.items)) },
      '/properties/rows/items/items',
      /A list inside a list of another list/,
    ],
    [
      'without a title',
      { ui: ({ fields }) => delete fields.rows.items['ui:title'] },
      '/fields/rows/items',
      /no "ui:title"/,
    ],
    [
      'with a rule that reads the outer item',
      { ui: ({ visible }) => (visible['kin.items.jobs.items.which'] = { var: 'item.name' }) },
      '/visible/kin.items.jobs.items.which',
      /"item.name" does not exist/,
    ],
  ])('is rejected by the compiler %s', async (_, change, pointer, message) => {
    const { problems } = await loadProject(
      createListForm({
        schema: (one) => [nested.schema?.(one), change.schema?.(one)],
        ui: (one) => [nested.ui?.(one), change.ui?.(one)],
        pt: (one) => nested.pt?.(one),
      }),
    );
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      pointer,
      expect.stringMatching(message),
    ]);
  });
});
