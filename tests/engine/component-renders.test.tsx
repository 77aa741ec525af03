// @vitest-environment happy-dom
import './support/count-components.ts';
import { act, cleanup, fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../src/portal/navigation/load-screen.ts';
import { draw } from '../definitions/support/draw.tsx';
import { countRenderedComponents } from './support/count-components.ts';
import { loadProject, type Files } from './support/project.ts';

afterEach(cleanup);

/** Maximum number of components that are rendered per keystroke, for a form of any size. */
const limit = 8;

const messages = {
  required: 'Falta',
  type: 'Tipo',
  additionalProperties: 'Sobra',
  minLength: 'Mínimo {limit}',
  pattern: 'Forma',
  enum: 'Opción',
};

// Creates a form of `size` fields. Every ten fields contain texts with a rule, a repeated value, a checkbox and a field
// that depends on the checkbox. With `sections`, every ten fields are a section, and a text in the first section shows
// the second one.
function bigForm(size: number, sections: boolean): Files {
  const names = Array.from({ length: size }, (_, index) => `f${index}`);
  const kind = (index: number) => index % 10;
  const schema = (index: number) => {
    if (kind(index) === 7) return { type: 'string', matches: `f${index - 1}` };
    if (kind(index) === 8) return { type: 'boolean' };
    return kind(index) === 5 ? { type: 'string', enum: ['a', 'b'] } : { type: 'string', minLength: 3 };
  };
  const ui = {
    title: 'Grande',
    fields: Object.fromEntries(
      names.map((name, index) => [
        name,
        { 'ui:title': name, ...(kind(index) === 5 ? { 'ui:enumNames': ['A', 'B'] } : {}) },
      ]),
    ),
    visible: Object.fromEntries(
      names.flatMap((name, index) => (kind(index) === 9 ? [[name, { var: `form.f${index - 1}` }]] : [])),
    ),
    ...(sections
      ? {
          sections: Array.from({ length: Math.ceil(size / 10) }, (_, index) => ({
            title: `Parte ${index}`,
            fields: names.slice(index * 10, index * 10 + 10),
            ...(index === 1 ? { visible: { var: 'form.f4' } } : {}),
          })),
        }
      : {}),
    actions: [{ event: 'submit', text: 'Enviar', primary: true }],
  };
  return {
    'schemas/_shared/messages.json': messages,
    'schemas/big/schema.json': {
      type: 'object',
      required: ['f0', 'f1'],
      properties: Object.fromEntries(names.map((name, index) => [name, schema(index)])),
    },
    'schemas/big/ui.json': ui,
    'flows/main.json': {
      id: 'main',
      initial: 'big',
      states: {
        big: {
          path: '/big',
          screen: 'big',
          on: { submit: { src: 'save', onDone: [{ target: 'big' }], onError: [{ field: true }] } },
        },
      },
    },
  };
}

const loaded = new Map<string, Promise<LoadedScreen>>();

async function loadBig(size: number, sections: boolean): Promise<LoadedScreen> {
  const { definitions, problems } = await loadProject(bigForm(size, sections));
  if (!definitions) throw new Error(JSON.stringify(problems));
  const source = definitions.modules.find(({ url }) => url.includes('/big.'))?.source ?? '';
  return loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
}

async function open(size: number, sections: boolean) {
  const key = `${size} ${sections}`;
  const loading = loaded.get(key) ?? loadBig(size, sections);
  loaded.set(key, loading);
  const screen = await loading;
  const draft = screen.open({}, {});
  if (!draft) throw new Error('The form has fields.');
  const { container } = await draw(screen, draft, {});
  const control = (name: string) => {
    const found = container.querySelector(`[name="${name}"]`);
    if (!(found instanceof HTMLElement)) throw new Error(`no control ${name}`);
    return found;
  };
  const type = (name: string, value: string) =>
    countRenderedComponents(() => act(() => void fireEvent.change(control(name), { target: { value } })));
  return { draft, control, type, container };
}

describe.each([
  { size: 13, sections: false, row: 'ENG-01' },
  { size: 200, sections: false, row: 'ENG-01' },
  { size: 13, sections: true, row: 'ENG-04' },
  { size: 200, sections: true, row: 'ENG-04' },
])('[$row] form of $size fields, in sections: $sections', ({ size, sections }) => {
  test('renders at most 8 components for a keystroke', async () => {
    const { draft, type, control } = await open(size, sections);
    const first = type('f0', 'a');
    expect(first, 'components are counted').toBeGreaterThan(0);
    expect(first, 'components rendered for the first key').toBeLessThanOrEqual(limit);
    expect(type('f0', 'ab'), 'components rendered for the next key').toBeLessThanOrEqual(limit);
    expect(draft.field('f0')?.value).toBe('ab');
    expect(
      countRenderedComponents(() => act(() => void fireEvent.blur(control('f0')))),
      'components rendered for a blur with an error',
    ).toBeLessThanOrEqual(limit);
    expect(type('f0', 'abc'), 'components rendered for the key that corrects the error').toBeLessThanOrEqual(limit);
  });

  test('renders at most 8 components for a keystroke that another field depends on', async () => {
    const { draft, type, control } = await open(size, sections);
    type('f6', 'abc');
    type('f7', 'abx');
    act(() => void fireEvent.blur(control('f7')));
    expect(draft.field('f7')?.error).not.toBeNull();
    expect(
      type('f6', 'abx'),
      'components rendered when the message of the dependent field disappears',
    ).toBeLessThanOrEqual(limit);
    expect(draft.field('f7')?.error).toBeNull();
  });

  test('renders at most 10 components for a checkbox that shows a field', async () => {
    const { control, container } = await open(size, sections);
    expect(container.querySelector('[name="f9"]')).toBeNull();
    expect(countRenderedComponents(() => act(() => void fireEvent.click(control('f8'))))).toBeLessThanOrEqual(10);
    expect(container.querySelector('[name="f9"]')).not.toBeNull();
  });

  if (!sections) return;
  test('renders as many components for an error at the first field of a section as at another field', async () => {
    const { type, control, container } = await open(size, sections);
    const leave = (name: string) => {
      type(name, 'a');
      const drawn = countRenderedComponents(() => act(() => void fireEvent.blur(control(name))));
      expect(container.querySelector(`[data-field="${name}"][data-invalid]`)).not.toBeNull();
      return drawn;
    };
    expect(leave('f0')).toBe(leave('f1'));
  });

  test('draws a section that a keystroke shows, and renders at most 8 components for the next keystroke', async () => {
    const { type, container } = await open(size, sections);
    expect(container.querySelector('[name="f10"]')).toBeNull();
    type('f4', 'a');
    expect(container.querySelector('[name="f10"]')).not.toBeNull();
    expect(type('f4', 'ab')).toBeLessThanOrEqual(limit);
  });
});
