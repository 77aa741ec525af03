// @vitest-environment happy-dom
import './support/count-components.ts';
import { act, cleanup, fireEvent, screen as page } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, test } from 'vitest';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { Screen } from '../../src/engine/react/flow/screen-view.tsx';
import { plainTheme } from '../../src/engine/react/theme.ts';
import { draw, services } from '../definitions/support/draw.tsx';
import { createObjectSchema, text } from './samples/sample-types.ts';
import { countRenderedComponents } from './support/count-components.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

afterEach(cleanup);

const fields = {
  card: text,
  bill: text,
  note: text,
  pair: { type: 'array', prefixItems: [text, text, text] },
  phones: { type: 'array', maxItems: 2, items: text },
};
const uis = {
  card: { 'ui:title': 'Tarjeta' },
  bill: { 'ui:title': 'Dirección' },
  note: { 'ui:title': 'Nota' },
  pair: { 'ui:title': 'Par', items: ['Uno', 'Dos', 'Tres'].map((title) => ({ 'ui:title': title })) },
  phones: { 'ui:title': 'Teléfonos', items: { 'ui:title': 'Teléfono' } },
};

/** Opens the form. `others` is the number of additional fields that no condition reads. */
async function openForm(values: Readonly<Record<string, unknown>> = {}, others = 0) {
  const more = Array.from({ length: others }, (_, at) => `other${at}`);
  const properties = { ...fields, ...Object.fromEntries(more.map((name) => [name, text])) };
  const files = createFormFiles({
    schema: { ...createObjectSchema(properties), dependentRequired: { card: ['bill', 'phones'] } },
    ui: { fields: { ...uis, ...Object.fromEntries(more.map((name) => [name, { 'ui:title': name }])) } },
  });
  const { definitions, problems } = await loadProject(files);
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  const screen = await importScreen(definitions, 'sample');
  const draft = screen.open(values, {});
  if (!draft) throw new Error('The form has fields.');
  return { screen, draft };
}

const listMarked = (root: ParentNode) =>
  [...root.querySelectorAll('[data-field]')].flatMap((field) =>
    field.querySelector('.form-optional') ? [field.getAttribute('data-field')] : [],
  );

describe('field that a condition requires', () => {
  test('is marked as optional exactly while its condition is false, also in a tuple and a list', async () => {
    const { screen, draft } = await openForm();
    await draw(screen, draft, {});
    const bill = document.querySelector('[data-field=bill] input');
    const all = ['card', 'bill', 'note', 'pair.1', 'pair.2', 'phones'];
    expect(listMarked(document)).toEqual(all);
    expect(bill?.getAttribute('aria-required')).toBe('false');
    const type = (value: string) =>
      act(() => void fireEvent.change(page.getByLabelText(/Tarjeta/), { target: { value } }));
    type('1');
    expect(listMarked(document)).toEqual(['card', 'note', 'pair.1', 'pair.2']);
    expect(bill?.getAttribute('aria-required')).toBe('true');
    type('');
    expect(listMarked(document)).toEqual(all);
    expect(bill?.getAttribute('aria-required')).toBe('false');
    act(() => draft.field('pair.2')?.set('a'));
    expect(listMarked(document)).toEqual(all.filter((name) => name !== 'pair.1'));
  });

  test('renders again with the field of its condition, without other fields', async () => {
    const drawnAtKey = async (others: number) => {
      const { screen, draft } = await openForm({}, others);
      await draw(screen, draft, {});
      const count = countRenderedComponents(() => act(() => draft.field('card')?.set('1')));
      cleanup();
      return count;
    };
    const alone = await drawnAtKey(0);
    expect(await drawnAtKey(30)).toBe(alone);
    expect(alone).toBeLessThan(20);
  });

  test.each([
    [{}, ['card', 'bill', 'note', 'pair.1', 'pair.2', 'phones']],
    [{ card: '1' }, ['card', 'note', 'pair.1', 'pair.2']],
  ])('is prerendered with the right mark for %j', async (values, marked) => {
    const { screen, draft } = await openForm(values);
    const html = renderToString(
      <MemoryRouter>
        <EngineProvider value={services}>
          <Screen
            screen={screen}
            form={draft}
            context={{}}
            facts={{}}
            notice={null}
            busy={false}
            direction="none"
            theme={plainTheme}
            onEvent={() => undefined}
            onDismiss={() => undefined}
          />
        </EngineProvider>
      </MemoryRouter>,
    );
    const drawn = document.createElement('div');
    drawn.innerHTML = html;
    expect(listMarked(drawn)).toEqual(marked);
  });
});
