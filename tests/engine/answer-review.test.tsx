// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { PageRoute } from '../../src/engine/core/definitions-manifest.ts';
import { createEngine } from '../../src/engine/react/create-engine.tsx';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { FlowRoute } from '../../src/engine/react/flow/flow-route.tsx';
import { createTexts } from '../../src/engine/runtime/engine-text.ts';
import type { FlowServices, LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { ThemedScreen } from '../../src/portal/shell/themed-screen.tsx';
import { waitForWidgets } from '../definitions/support/draw.tsx';
import { importScreen } from './support/loaded-screens.ts';
import { copyAsTranslation, loadProject, type Files } from './support/project.ts';
import { runFlow } from './support/run-flow.ts';
import { bookingFlow, wizardFiles } from './support/wizard.ts';

afterEach(cleanup);

const text = { type: 'string', maxLength: 40 };
const contact = {
  type: 'object',
  properties: {
    name: text,
    secret: { ...text, writeOnly: true },
    note: text,
    repeated: text,
    reason: { type: 'string', enum: ['new', 'old'] },
    topics: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
    born: { type: 'string', format: 'date' },
    price: { type: 'number' },
    agreed: { type: 'boolean' },
    code: text,
    office: text,
  },
};
const contactUi = {
  title: 'Contacto',
  fields: {
    name: { 'ui:title': 'Nombre' },
    secret: { 'ui:title': 'Clave', 'ui:widget': 'password' },
    note: { 'ui:title': 'Nota' },
    repeated: { 'ui:title': 'Repetir' },
    reason: { 'ui:title': 'Motivo', 'ui:enumNames': ['Es nuevo', 'Es viejo'] },
    topics: { 'ui:title': 'Temas', 'ui:enumNames': ['Tema uno', 'Tema dos', 'Tema tres'] },
    born: { 'ui:title': 'Nacimiento' },
    price: { 'ui:title': 'Precio' },
    agreed: { 'ui:title': 'De acuerdo', 'ui:widget': 'checkbox' },
    code: { 'ui:title': 'Código', 'ui:widget': 'hidden' },
    office: { 'ui:title': 'Oficina', 'ui:widget': 'select', 'ui:options': { source: 'list' } },
  },
  actions: [{ event: 'submit', text: 'Seguir', primary: true }],
};
const confirmUi = (review: object = { without: ['/repeated'] }) => ({
  title: 'Confirmar',
  review,
  actions: [{ event: 'confirm', text: 'Seguir', primary: true }],
});
const files: Files = {
  ...wizardFiles,
  'schemas/contact/schema.json': contact,
  'schemas/contact/ui.json': contactUi,
  'schemas/contact/ui.pt.json': JSON.stringify(copyAsTranslation(contactUi))
    .replace('Es viejo', 'É velho')
    .replace('"Contacto"', '"Contato"'),
  'flows/main.json': {
    ...bookingFlow,
    states: {
      ...bookingFlow.states,
      confirm: { ...bookingFlow.states.confirm, on: { confirm: { assign: { booked: true }, target: 'booked' } } },
    },
  },
  'schemas/confirm/ui.json': confirmUi(),
  'schemas/confirm/ui.pt.json': copyAsTranslation(confirmUi()),
};

const answers = {
  name: 'Ana',
  secret: 'tres tazas',
  repeated: 'Ana',
  reason: 'old',
  topics: ['a', 'c'],
  born: '1990-03-01',
  price: 1234.5,
  agreed: true,
  code: 'x',
  office: '7',
};

const offices = { state: 'ready', data: [{ value: '7', label: 'Centro' }] } as const;

/** Renders the wizard, and submits its steps up to the confirmation. */
async function renderReview(language: 'es' | 'pt' = 'es') {
  const { definitions, problems } = await loadProject(files);
  const flow = definitions?.flows['main'];
  if (!definitions || !flow) throw new Error(JSON.stringify(problems));
  const screens: Record<string, LoadedScreen> = {};
  const load = async (own: string) => {
    for (const id of definitions.screens) screens[id] = await importScreen(definitions, id, own);
  };
  await load(language);
  const running = runFlow(flow, { screens, facts: { flags: { on: false } } });
  const route: PageRoute = { path: '/contact', flow: 'main', state: 'contact', access: 'anyone', chrome: 'full' };
  render(
    <EngineProvider value={createEngine({ t: createTexts(language), source: () => offices })}>
      <FlowRoute
        route={route}
        address={address}
        runner={running.runner}
        services={{ facts: () => ({}) } as unknown as FlowServices}
        blocks={{}}
        Screen={ThemedScreen}
      />
    </EngineProvider>,
  );
  await waitForWidgets();
  const submit = async (values: Readonly<Record<string, unknown>> = {}) => {
    act(() => running.type(values));
    await act(() => running.raise('submit'));
    await waitForWidgets();
  };
  await submit(answers);
  await submit({ day: '2027-03-01', hour: '10:30' });
  const values = () => running.runner.state.view?.form?.values;
  return { ...running, submit, load, values };
}

const address = { search: '', history: null, pushed: false };
const readTexts = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);

describe('[ENG-10] review of the earlier answers', () => {
  test('shows labels and formatted answers of each step, without secrets, hidden, empty and excluded fields', async () => {
    await renderReview();
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Contacto',
      'Día y hora',
    ]);
    const shown = readTexts('term').map((title, at) => [title, readTexts('definition')[at]]);
    expect(shown).toEqual([
      ['Nombre', 'Ana'],
      ['Motivo', 'Es viejo'],
      ['Temas', 'Tema uno, Tema tres'],
      ['Nacimiento', '1 de marzo de 1990'],
      ['Precio', '1234,5'],
      ['De acuerdo', 'Sí'],
      ['Oficina', 'Centro'],
      ['DAY', '2027-03-01'],
      ['HOUR', '10:30'],
    ]);
  });

  test('has a button for each step that returns to it and keeps all answers', async () => {
    const { shown, values, submit } = await renderReview();
    fireEvent.click(screen.getByRole('button', { name: 'Cambiar Contacto' }));
    await waitForWidgets();
    expect(shown()).toBe('contact');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Contacto' }));
    expect(values()).toMatchObject({ name: 'Ana', reason: 'old' });
    await submit({ name: 'Eva', secret: 'tres tazas' });
    expect(values()).toEqual({ day: '2027-03-01', hour: '10:30' });
    await submit();
    expect(within(screen.getByText('Nombre').parentElement ?? document.body).getByText('Eva')).toBeTruthy();
  });

  test('shows labels and choices in the new language when the language changes', async () => {
    const { runner, load } = await renderReview();
    await load('pt');
    await act(() => runner.redraw());
    expect(screen.getByRole('heading', { level: 2, name: 'Contato' })).toBeTruthy();
    expect(readTexts('definition')).toContain('É velho');
  });
});

describe('[ENG-10] compiler check of "review"', () => {
  test.each<[string, Files, RegExp]>([
    [
      'a screen without earlier steps',
      { 'schemas/booked/ui.json': { title: 'Reservado', review: {}, links: [{ to: '/contact', text: 'Otra vez' }] } },
      /"booked" reviews the earlier answers, but no step before "booked" asks for anything.*"progress"/s,
    ],
    [
      'an excluded field that no earlier step has',
      { 'schemas/confirm/ui.json': confirmUi({ without: ['/repeatd'] }) },
      /review omits "repeatd".*"repeated"/s,
    ],
    [
      'an excluded secret',
      { 'schemas/confirm/ui.json': confirmUi({ without: ['/secret'] }) },
      /review omits "secret".*Secrets are never shown/s,
    ],
  ])('reports %s', async (_, changed, says) => {
    const { problems } = await loadProject({ ...files, ...changed });
    expect(problems.map(({ message, hint }) => `${message} ${hint}`).join('\n')).toMatch(says);
  });
});
