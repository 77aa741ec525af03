// @vitest-environment happy-dom
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanup, render, screen as page } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createTexts } from '../../src/engine/index.ts';
import {
  createEngine,
  EngineProvider,
  plainTheme,
  Screen,
  type ButtonProps,
  type ListFrameProps,
  type StepBarProps,
} from '../../src/engine/react.ts';
import { createObjectSchema, createTitledFields, text } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

afterEach(cleanup);
const engine = createEngine({ t: createTexts('es') });

test('[ENG-13] plain theme names groups of radio buttons and checkboxes after their field', async () => {
  const choice = { type: 'string', enum: ['a', 'b'] };
  const labels = { 'ui:enumNames': ['Uno', 'Dos'] };
  const files = createFormFiles({
    schema: createObjectSchema({ tipo: choice, temas: { type: 'array', items: choice, uniqueItems: true } }),
    ui: {
      fields: createTitledFields(
        { tipo: 'Tipo', temas: 'Temas' },
        { tipo: { 'ui:widget': 'radio', ...labels }, temas: { 'ui:widget': 'checkboxes', ...labels } },
      ),
    },
  });
  const { definitions, problems } = await loadProject(files);
  if (!definitions) throw new Error(JSON.stringify(problems));
  const screen = await importScreen(definitions, 'sample');
  const parts = { screen, form: screen.open({}, {}), theme: plainTheme, context: {}, facts: {}, notice: null } as const;
  const nothing = () => undefined;
  render(
    <EngineProvider value={engine}>
      <Screen {...parts} busy={false} direction="none" onEvent={nothing} onDismiss={nothing} />
    </EngineProvider>,
  );
  expect((await page.findByRole('group', { name: 'Tipo' })).querySelectorAll('[type=radio]')).toHaveLength(2);
  const topics = await page.findByRole('group', { name: 'Temas' });
  expect(topics.querySelectorAll('[type=checkbox]')).toHaveLength(2);
});

test('[ENG-13] plain theme labels the button that removes a file in the language of the page', async () => {
  const files = createFormFiles({
    schema: createObjectSchema({ nota: { type: 'string' } }),
    ui: { fields: createTitledFields({ nota: 'Nota' }, { nota: { 'ui:widget': 'file' } }) },
  });
  const { definitions, problems } = await loadProject(files, { root: join(tmpdir(), 'no-plugins'), widgets: ['file'] });
  if (!definitions) throw new Error(JSON.stringify(problems));
  const screen = await importScreen(definitions, 'sample');
  const form = screen.open({ nota: 'data:text/plain;name=nota.txt;base64,aG9sYQ==' }, {});
  const parts = { screen, form, theme: plainTheme, context: {}, facts: {}, notice: null } as const;
  const nothing = () => undefined;
  render(
    <EngineProvider value={engine}>
      <Screen {...parts} busy={false} direction="none" onEvent={nothing} onDismiss={nothing} />
    </EngineProvider>,
  );
  expect((await page.findByRole('button', { name: 'Quitar' })).textContent).toBe('Quitar');
});

test('[ENG-13] theme draws the step bar, the buttons and the frames of lists with its own components', async () => {
  const StepBar = ({ bar, id }: StepBarProps) => <p id={id}>{bar.steps.map(({ title }) => title).join(' > ')}</p>;
  const Button = ({ text: label, attributes }: ButtonProps) => <button {...attributes}>{`[${label}]`}</button>;
  const ListFrame = ({ id, title, children }: ListFrameProps) => (
    <div id={id} role="group" aria-label={`Lista: ${title}`}>
      {children}
    </div>
  );
  const files = createFormFiles({
    schema: createObjectSchema(
      {
        casas: { type: 'array', maxItems: 2, items: createObjectSchema({ calle: text }, ['calle']) },
      },
      ['casas'],
    ),
    ui: { fields: { casas: { 'ui:title': 'Casas', items: { 'ui:title': 'Casa', calle: { 'ui:title': 'Calle' } } } } },
  });
  const { definitions, problems } = await loadProject(files);
  if (!definitions) throw new Error(JSON.stringify(problems));
  const screen = await importScreen(definitions, 'sample');
  const theme = { ...plainTheme, StepBar, Button, ListFrame };
  const steps = [
    { state: 'a', title: 'Datos', place: 'before' },
    { state: 'b', title: 'Casas', place: 'here' },
  ] as const;
  const bar = { steps, returnTo: () => undefined };
  const parts = { screen, form: screen.open({}, {}), theme, bar, context: {}, facts: {}, notice: null } as const;
  const nothing = () => undefined;
  render(
    <EngineProvider value={engine}>
      <Screen {...parts} busy={false} direction="none" onEvent={nothing} onDismiss={nothing} />
    </EngineProvider>,
  );
  expect(await page.findByRole('group', { name: 'Lista: Casas' })).toBeDefined();
  const buttons = page.getAllByRole('button').map(({ textContent }) => textContent);
  expect(buttons).toEqual(['[Agregar Casa]', '[Enviar]']);
  const heading = page.getByRole('heading', { level: 1 });
  expect(document.getElementById(heading.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Datos > Casas');
  expect(page.queryByRole('navigation')).toBeNull();
});

test('[ENG-12] format data-url compiles with the file widget of the page if no plugin validates files', async () => {
  const files = createFormFiles({
    schema: createObjectSchema({ nota: { type: 'string', format: 'data-url' } }),
    ui: { fields: createTitledFields({ nota: 'Nota' }) },
  });
  const { definitions, problems } = await loadProject(files, { root: join(tmpdir(), 'no-plugins'), widgets: ['file'] });
  expect(problems).toEqual([]);
  expect(definitions?.ui('sample', 'es').fields?.['nota']).toMatchObject({ 'ui:widget': 'file' });
  const check = (nota: string) => definitions?.check('sample', { nota }, { language: 'es', context: {} }).errors;
  expect([check('data:,a'), check('a')]).toEqual([{}, { nota: 'Forma' }]);
});
