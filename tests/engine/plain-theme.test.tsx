// @vitest-environment happy-dom
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanup, render, screen as page } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createTexts } from '../../src/engine/index.ts';
import { createEngine, EngineProvider, plainTheme, Screen } from '../../src/engine/react.ts';
import { createObjectSchema, createTitledFields } from './samples/sample-types.ts';
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
  expect(await page.findByTitle('Quitar')).toBeDefined();
});
