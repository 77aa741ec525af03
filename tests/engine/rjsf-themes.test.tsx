// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { Theme as mantine } from '@rjsf/mantine';
import { Theme as primereact } from '@rjsf/primereact';
import type { FieldProps, WidgetProps } from '@rjsf/utils';
import { act, cleanup, fireEvent, render, screen as page, within } from '@testing-library/react';
import { Fragment, type ComponentType, type ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Screen, rjsfTheme, createEngine, EngineProvider, type Theme } from '../../src/engine/react.ts';
import { fluentTheme } from '../../src/engine/fluent/fluent-theme.ts';
import { selectDefaultWidget, builtInWidgets } from '../../src/engine/core/built-in-widgets.ts';
import type { FormModel } from '../../src/engine/runtime/form/form-model.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { waitForWidgets } from '../definitions/support/draw.tsx';
import { importScreen } from './support/loaded-screens.ts';
import { createFormFiles } from './support/sample-form.ts';
import { loadProject } from './support/project.ts';
import { createObjectSchema, text, createTitledFields } from './samples/sample-types.ts';

afterEach(cleanup);

const names = ['Uno', 'Dos'];
const choice = { type: 'string', enum: ['a', 'b'] } as const;

/** A form with one field for each widget of the engine, and also with a section, an object and a list. */
const form = {
  schema: createObjectSchema(
    {
      text: { ...text, minLength: 3 },
      email: text,
      tel: text,
      textarea: text,
      date: { type: 'string', format: 'date' },
      number: { type: 'integer', minimum: 5 },
      checkbox: { type: 'boolean' },
      select: choice,
      radio: choice,
      checkboxes: { type: 'array', items: choice, uniqueItems: true },
      hidden: text,
      place: createObjectSchema({ city: text }),
      people: { type: 'array', maxItems: 3, items: createObjectSchema({ name: text }, ['name']) },
      late: text,
    },
    ['text'],
  ),
  ui: {
    fields: {
      ...createTitledFields(
        {
          text: 'Texto',
          email: 'Correo',
          tel: 'Teléfono',
          textarea: 'Largo',
          date: 'Fecha',
          number: 'Número',
          checkbox: 'Casilla',
          select: 'Lista',
          radio: 'Una',
          checkboxes: 'Varias',
          late: 'Después',
        },
        {
          text: { 'ui:help': 'Tres letras' },
          email: { 'ui:widget': 'email' },
          tel: { 'ui:widget': 'tel' },
          textarea: { 'ui:widget': 'textarea' },
          select: { 'ui:enumNames': names },
          radio: { 'ui:widget': 'radio', 'ui:enumNames': names },
          checkboxes: { 'ui:enumNames': names },
        },
      ),
      hidden: { 'ui:widget': 'hidden' },
      place: { 'ui:title': 'Lugar', city: { 'ui:title': 'Ciudad' } },
      people: { 'ui:title': 'Personas', items: { 'ui:title': 'Persona', name: { 'ui:title': 'Nombre' } } },
    },
    sections: [{ title: 'Al final', fields: ['number', 'checkbox'] }],
    visible: { late: { '==': [{ var: 'form.text' }, 'abc'] } },
  },
};

let screen: LoadedScreen;
beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never; // Mantine uses `matchMedia`, which jsdom lacks
  const { definitions, problems } = await loadProject(createFormFiles(form));
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  screen = await importScreen(definitions, 'sample');
});

const engine = createEngine({ t: (key) => key });

async function renderForm(theme: Theme, Around: ComponentType<{ children: ReactNode }>): Promise<FormModel> {
  const draft = await renderScreen(screen, theme, Around);
  await page.findByRole('group', { name: 'Personas' }); // waits, because the list control is loaded with the first list
  return draft;
}

async function renderScreen(own: LoadedScreen, theme: Theme, Around: ComponentType<{ children: ReactNode }>) {
  const draft = own.open({ people: [{ name: 'Ana' }] }, {});
  if (!draft) throw new Error('The form has fields.');
  const parts = {
    screen: own,
    form: draft,
    theme,
    context: {},
    facts: {},
    notice: null,
    busy: false,
    direction: 'none',
  } as const;
  render(
    <Around>
      <EngineProvider value={engine}>
        <Screen {...parts} onEvent={() => void draft.submitPrepared()} onDismiss={() => undefined} />
      </EngineProvider>
    </Around>,
  );
  await waitForWidgets();
  return draft;
}

const fieldOf = (name: string) => document.querySelector(`[data-field="${name}"]`);
const type = (label: RegExp, value: string) =>
  act(async () => void fireEvent.change(page.getByLabelText(label), { target: { value } }));

const Mantine = ({ children }: { children: ReactNode }) => <MantineProvider>{children}</MantineProvider>;

const themes: readonly (readonly [
  name: string,
  theme: Theme,
  around: ComponentType<{ children: ReactNode }>,
  mark: RegExp,
])[] = [
  ['mantine', rjsfTheme(mantine), Mantine, /class="[^"]*mantine-/],
  ['primereact', rjsfTheme(primereact), Fragment, /class="[^"]*\bp-/],
];

describe.each(themes)('[ENG-14] rjsf theme %s', (_, theme, Around, mark) => {
  test('draws every kind of field without elements of the engine around it', async () => {
    await renderForm(theme, Around);
    const shown = screen.validator.screen.fields.filter(
      ({ name, item }) => name !== 'hidden' && name !== 'late' && !item,
    );
    expect(shown.length).toBeGreaterThanOrEqual(Object.keys(builtInWidgets).length - 1);
    const unmarked = shown.filter(({ name }) => !mark.test(fieldOf(name)?.innerHTML ?? ''));
    expect(unmarked.map(({ schema }) => selectDefaultWidget(schema))).toEqual([]);
    expect(fieldOf('people.0.name')?.innerHTML).toMatch(mark);
    expect(document.querySelectorAll('.form-label, .form-error, .form-help')).toHaveLength(0);
    expect(document.querySelectorAll('.form-section, .button')).toHaveLength(0);
    const list = page.getByRole('group', { name: 'Personas' });
    expect(list.textContent).toContain('Personas optional');
    expect(list.querySelector('fieldset')?.outerHTML).toMatch(mark);
    const buttons = page.getAllByRole('button').filter(({ textContent }) => /Persona|Enviar/.test(textContent ?? ''));
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Quitar Persona 1', 'Agregar Persona', 'Enviar']);
    for (const button of buttons) expect(button.outerHTML).toMatch(mark);
    for (const title of ['Al final', 'Lugar'])
      expect(page.getByRole('group', { name: title }).textContent).toContain(title);
    expect(within(page.getByRole('group', { name: 'Lugar' })).getByLabelText(/^Ciudad/)).toBeTruthy();
    expect(fieldOf('text')?.textContent).toContain('Tres letras');
  });

  test('moves the focus in a list, announces its changes, and describes the button of an incomplete form', async () => {
    await renderForm(theme, Around);
    const press = (name: string) => act(async () => void fireEvent.click(page.getByRole('button', { name })));
    await press('Agregar Persona');
    expect(fieldOf('people.1.name')?.contains(document.activeElement)).toBe(true);
    await press('Subir Persona 2');
    expect(document.activeElement?.textContent).toBe('Bajar Persona 1');
    await press('Quitar Persona 1');
    expect(document.activeElement?.textContent).toBe('Persona 1');
    await press('Deshacer');
    expect(page.getByText('Volvió Persona 1.').closest('[role=status]')).toBeTruthy();
    const send = page.getByRole('button', { name: 'Enviar' });
    expect([send.getAttribute('aria-disabled'), send.getAttribute('type')]).toEqual(['true', 'submit']);
    expect(document.getElementById(send.getAttribute('aria-describedby') ?? '')?.className).toBe('screen-missing');
  });

  test('receives the focus from the error summary if its control has no id of its own', async () => {
    const { definitions } = await loadProject(
      createFormFiles({
        schema: createObjectSchema({ text, radio: choice }, ['text', 'radio']),
        ui: {
          fields: createTitledFields(
            { text: 'Texto', radio: 'Una' },
            { radio: { 'ui:widget': 'radio', 'ui:enumNames': names } },
          ),
        },
      }),
    );
    await renderScreen(await importScreen(definitions!, 'sample'), theme, Around);
    await act(async () => void fireEvent.click(page.getByRole('button', { name: 'Enviar' })));
    for (const [title, name] of [
      ['Una', 'radio'],
      ['Texto', 'text'],
    ] as const) {
      fireEvent.click(page.getByRole('link', { name: `${title}: Falta` }));
      expect(fieldOf(name)?.contains(document.activeElement)).toBe(true);
      expect(document.activeElement?.tagName).toBe('INPUT');
    }
  });

  test('takes values, shows errors and follows the rules of the form', async () => {
    const draft = await renderForm(theme, Around);
    expect(page.queryByLabelText(/^Después/)).toBeNull();
    await type(/^Texto/, 'ab');
    await type(/^Ciudad/, 'Salto');
    await act(async () => void (await draft.submitPrepared()));
    expect(fieldOf('text')?.textContent).toContain('Mínimo 3');
    await type(/^Texto/, 'abc');
    expect(fieldOf('text')?.textContent).not.toContain('Mínimo 3');
    await type(/^Después/, 'sí');
    await act(async () => void fireEvent.click(page.getByLabelText(/^Casilla/)));
    expect((await draft.submitPrepared())?.data).toEqual({
      text: 'abc',
      late: 'sí',
      checkbox: true,
      place: { city: 'Salto' },
      people: [{ name: 'Ana' }],
    });
  });
});

test('[ENG-14] rjsfTheme draws the fields of a theme instead of those of rjsf', async () => {
  const StringField = ({ name }: FieldProps) => <output>{name}</output>;
  await renderForm(rjsfTheme({ ...mantine, fields: { StringField } }), Mantine);
  expect(fieldOf('email')?.querySelector('output')?.textContent).toBe('email');
  expect(fieldOf('checkbox')?.querySelector('output')).toBeNull();
});

test('[ENG-14] theme without rjsf components draws an array of choices', async () => {
  const { definitions } = await loadProject(
    createFormFiles({
      schema: createObjectSchema({ picks: { type: 'array', items: choice, uniqueItems: true } }),
      ui: { fields: createTitledFields({ picks: 'Varias' }, { picks: { 'ui:enumNames': names } }) },
    }),
  );
  const draft = await renderScreen(await importScreen(definitions!, 'sample'), fluentTheme, Fragment);
  fireEvent.click(await page.findByLabelText('Dos'));
  expect(draft.values).toEqual({ picks: ['b'] });
});

describe('[ENG-14] widget of a theme', () => {
  const files = (widget: string) =>
    createFormFiles({
      schema: createObjectSchema({ grade: { type: 'integer', minimum: 0, maximum: 9 } }),
      ui: { fields: createTitledFields({ grade: 'Nota' }, { grade: { 'ui:widget': widget } }) },
    });

  test('is accepted by the compiler if its name is declared, and reported otherwise', async () => {
    const { problems } = await loadProject(files('slider'));
    expect(problems.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/fields/grade/ui:widget', 'Unknown widget "slider".'],
    ]);
    const { definitions } = await loadProject(files('slider'), { widgets: ['slider'] });
    expect(definitions).not.toBeNull();
  });

  test('receives an empty array if no choice is selected, as in rjsf', async () => {
    const pick = ({ value, onChange }: WidgetProps) => (
      <button onClick={() => onChange([...(value as string[]), 'a'])}>{(value as string[]).length}</button>
    );
    const { definitions } = await loadProject(
      createFormFiles({
        schema: createObjectSchema({ picks: { type: 'array', items: choice, uniqueItems: true } }),
        ui: {
          fields: createTitledFields({ picks: 'Varias' }, { picks: { 'ui:widget': 'pick', 'ui:enumNames': names } }),
        },
      }),
      { widgets: ['pick'] },
    );
    const draft = await renderScreen(
      await importScreen(definitions!, 'sample'),
      rjsfTheme({ ...mantine, widgets: { pick } }),
      Mantine,
    );
    expect(draft.values).toEqual({});
    fireEvent.click(page.getByRole('button', { name: '0' }));
    expect(draft.values).toEqual({ picks: ['a'] });
  });

  test('is used instead of a built-in substitute if its name is declared', async () => {
    const widgetOf = async (widgets: readonly string[]) =>
      (await loadProject(files('range'), { widgets })).definitions?.ui('sample', 'es').fields?.['grade'];
    expect(await widgetOf([])).toMatchObject({ 'ui:widget': 'number' });
    expect(await widgetOf(['range'])).toMatchObject({ 'ui:widget': 'range' });
  });
});
