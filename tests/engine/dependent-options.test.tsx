// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { OperationResult } from '../../src/engine/core/operation-result.ts';
import type { ValuesByName } from '../../src/engine/core/json.ts';
import { createEngine } from '../../src/engine/react/create-engine.tsx';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { Screen } from '../../src/engine/react/flow/screen-view.tsx';
import { plainTheme } from '../../src/engine/react/theme.ts';
import { ResponseCache } from '../../src/portal/navigation/response-cache.ts';
import { draw, services } from '../definitions/support/draw.tsx';
import { importScreen } from './support/loaded-screens.ts';
import { sampleProject, loadProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const own = { ...services };
afterEach(() => {
  cleanup();
  Object.assign(services, own);
});

const uiPath = 'schemas/form/ui.json';
const dep = { dep: { var: 'form.kind' } };

/** The sample form with a town whose options depend on the kind. */
function form(change: (ui: Content) => unknown = () => undefined, words = true): Files {
  const all: Record<string, Content> = structuredClone({ ...sampleProject });
  all['schemas/form/schema.json'].properties.town = { type: 'string' };
  if (words)
    Object.assign(all['schemas/_shared/messages.json'], { 'options.none': 'No hay', 'options.gone': 'Elegí de nuevo' });
  for (const file of [uiPath, 'schemas/form/ui.pt.json'])
    all[file].fields.town = {
      'ui:title': 'Localidad',
      ...(file === uiPath ? { 'ui:widget': 'select', 'ui:options': { source: 'list', params: dep } } : {}),
    };
  change(all[uiPath]);
  return all;
}

const town = (codigo: string) => ({ codigo, nombre: `Pueblo ${codigo}` });

const numbered = (() => {
  const schema = structuredClone(sampleProject['schemas/form/schema.json']) as Content;
  schema.properties.town = { type: 'integer' };
  return schema;
})();
const ready = { state: 'ready', data: [town('7'), { codigo: 10, nombre: 'Pueblo 10' }, town('x')] } as const;

/** Opens the form. Its request for options is pending. */
async function openForm(values: ValuesByName = {}, change?: (ui: Content) => unknown) {
  const { definitions, problems } = await loadProject(form(change));
  if (!definitions) throw new Error(JSON.stringify(problems));
  const asked: { readonly params: Readonly<Record<string, string>>; answer: (result: OperationResult) => void }[] = [];
  const sources = new ResponseCache({}, (_, params) => new Promise((answer) => void asked.push({ params, answer })));
  Object.assign(services, {
    source: (call: string, params?: Readonly<Record<string, string>>) => sources.get(call, params),
    subscribe: (call: string, listener: () => void, params = {}) => sources.subscribe(call, params, listener),
    retry: (call: string, params = {}) => sources.discard(call, params),
  });
  const screen = await importScreen(definitions, 'form');
  const draft = screen.open({ email: 'a@b.uy', terms: true, ...values }, {});
  if (!draft) throw new Error('The form has fields.');
  await draw(screen, draft, {});
  await page.findByLabelText(/^Localidad/);
  const offered = () =>
    [...page.getByLabelText(/^Localidad/).querySelectorAll('option')].map((option) => option.textContent);
  const answer = (index: number, result: unknown) =>
    act(async () => asked[index]?.answer({ ok: true, result } as OperationResult));
  const fail = (index: number) =>
    act(async () =>
      asked[index]?.answer({ ok: false, failure: { status: 0, error: '', errors: {}, outdated: false } }),
    );
  const choose = (kind: string | undefined) => act(async () => draft.field('kind')?.set(kind));
  return { draft, asked, offered, answer, fail, choose };
}

const findText = (text: string) =>
  page.queryAllByRole('status').filter(({ textContent }) => textContent?.includes(text)).length;

describe('[ENG-09] options that depend on another field', () => {
  test('are requested when that field changes, reuse earlier responses, and ignore a late response', async () => {
    const { asked, offered, answer, choose } = await openForm();
    expect(asked).toEqual([]);
    await choose('a');
    await choose('b');
    expect(asked.map(({ params }) => params)).toEqual([{ dep: 'a' }, { dep: 'b' }]);
    expect([offered(), findText('loading')]).toEqual([['loading'], 1]);
    await answer(1, [town('3')]);
    await answer(0, [town('1'), town('2')]);
    expect([offered(), findText('loading')]).toEqual([['choose', 'Pueblo 3'], 0]);
    await choose('a');
    expect([offered(), asked.length]).toEqual([['choose', 'Pueblo 1', 'Pueblo 2'], 2]);
    await choose(undefined);
    expect(offered()).toEqual(['choose']);
  });

  test('are requested once per change of the field, even for an earlier value, with the option `fresh`', async () => {
    const { asked, answer, choose } = await openForm({ kind: 'a' }, (ui) => {
      ui.fields.town['ui:options'].fresh = true;
    });
    await answer(0, [town('1')]);
    await choose('b');
    await answer(1, [town('2')]);
    await choose('a');
    expect(asked.map(({ params }) => params['dep'])).toEqual(['a', 'b', 'a']);
  });

  test('clear a chosen value that is no longer available, with a message, and keep an available one', async () => {
    const { draft, answer, choose } = await openForm({ kind: 'a', town: '2' });
    await answer(0, [town('1'), town('2')]);
    expect([draft.field('town')?.value, findText('Elegí de nuevo')]).toEqual(['2', 0]);
    await choose('b');
    await answer(1, [town('2'), town('3')]);
    expect([draft.field('town')?.value, findText('Elegí de nuevo')]).toEqual(['2', 0]);
    act(() => void fireEvent.change(page.getByLabelText(/^Localidad/), { target: { value: '3' } }));
    await choose('a');
    expect([draft.field('town')?.value, findText('Elegí de nuevo')]).toEqual([undefined, 1]);
    act(() => void fireEvent.change(page.getByLabelText(/^Localidad/), { target: { value: '1' } }));
    expect([draft.field('town')?.value, findText('Elegí de nuevo')]).toEqual(['1', 0]);
    act(() => void fireEvent.change(page.getByLabelText(/^Localidad/), { target: { value: '' } }));
    expect(findText('Elegí de nuevo'), 'no message after the field was cleared by hand').toBe(0);
  });

  test('make a submit wait while they load, and refuse it after they failed to load', async () => {
    const { draft, answer, fail } = await openForm({ kind: 'a', town: '2' });
    const waited = draft.submitPrepared();
    await fail(0);
    await act(async () => expect(await waited).toBeNull());
    expect(draft.field('town')?.error).toBe('offline');
    await act(async () => expect(await draft.submitPrepared()).toBeNull());
    act(() => void fireEvent.click(page.getByRole('button', { name: 'retry' })));
    const retried = draft.submitPrepared();
    await answer(1, [town('2')]);
    expect((await retried)?.data).toMatchObject({ town: '2' });
  });

  test('refuse a waiting submit if they no longer contain the chosen value', async () => {
    const { draft, answer } = await openForm({ kind: 'a', town: '2' });
    const waited = draft.submitPrepared();
    await answer(0, [town('3')]);
    await act(async () => expect(await waited).toBeNull());
    expect([draft.field('town')?.value, findText('Elegí de nuevo')]).toEqual([undefined, 1]);
  });

  test('say that there are none, or that they failed to load, with a button to retry', async () => {
    const { asked, offered, answer, fail, choose } = await openForm({ kind: 'a' });
    await answer(0, []);
    expect(findText('No hay')).toBe(1);
    await choose('b');
    expect(findText('No hay')).toBe(0);
    await fail(1);
    expect(page.getByRole('alert').textContent).toContain('offline');
    act(() => void fireEvent.click(page.getByRole('button', { name: 'retry' })));
    expect([asked.length, asked[2]?.params]).toEqual([3, { dep: 'b' }]);
    expect(
      page.getByRole('button', { name: 'retry' }).getAttribute('aria-disabled'),
      'the button is disabled while it loads',
    ).toBe('true');
    await answer(2, [town('4')]);
    expect([offered(), page.queryByRole('alert')]).toEqual([['choose', 'Pueblo 4'], null]);
  });
});

test.each([
  ['without parameters', {}],
  ['with parameters', { params: dep }],
])('[ENG-09 ENG-11] page without the portal and its theme offers the options of an operation %s', async (_, more) => {
  const { definitions } = await loadProject(form((ui) => (ui.fields.town['ui:options'] = { source: 'list', ...more })));
  const screen = await importScreen(definitions!, 'form');
  const draft = screen.open({ kind: 'a' }, {})!;
  const data = [
    { value: 'x', label: 'Equis' },
    { value: 'y', label: 'Ye' },
  ];
  const answer = { state: 'ready', data } as const;
  const engine = createEngine({ source: () => answer });
  const shown = { screen, form: draft, direction: 'none', context: {}, facts: {}, notice: null, busy: false } as const;
  await act(async () => {
    render(
      <EngineProvider value={engine}>
        <Screen {...shown} theme={plainTheme} onEvent={() => undefined} onDismiss={() => undefined} />
      </EngineProvider>,
    );
  });
  const select = await page.findByLabelText<HTMLSelectElement>(/^Localidad/);
  expect([...select.options].map(({ text }) => text)).toEqual(['', 'Equis', 'Ye']);
  act(() => void fireEvent.change(select, { target: { value: select.options[2]!.value } }));
  expect([draft.field('town')?.value, select.selectedOptions[0]?.text]).toEqual(['y', 'Ye']);
});

test.each([
  ['without parameters', {}],
  ['with parameters', { params: dep }],
])(
  '[ENG-09] select of a number field stores a number, whether its option is a number or a string, %s',
  async (_, more) => {
    const { definitions } = await loadProject({
      ...form((ui) => (ui.fields.town['ui:options'] = { source: 'list', ...more })),
      'schemas/form/schema.json': numbered,
    });
    const screen = await importScreen(definitions!, 'form');
    const draft = screen.open({ email: 'a@b.uy', terms: true, kind: 'a', town: 7 }, {})!;
    Object.assign(services, {
      source: () => ready,
      subscribe: () => () => undefined,
    });
    await draw(screen, draft, {});
    const select = await page.findByLabelText<HTMLSelectElement>(/^Localidad/);
    expect([draft.field('town')?.value, select.value]).toEqual([7, '7']);
    const choose = (value: string) => act(async () => void fireEvent.change(select, { target: { value } }));
    await choose('10');
    expect([draft.field('town')?.value, select.value]).toEqual([10, '10']);
    expect(draft.submit()?.data).toMatchObject({ town: 10 });
    await choose('x');
    expect([draft.field('town')?.value, draft.submit()]).toEqual(['x', null]);
  },
);

const options = (change: (options: Content) => unknown) => (ui: Content) => change(ui.fields.town['ui:options']);
const at = '/fields/town/ui:options';

test.each<readonly [note: string, change: (ui: Content) => unknown, pointer: string, message: RegExp]>([
  ['an unknown operation', options((o) => (o.source = 'lst')), `${at}/source`, /Unknown operation "lst"/],
  ['no operation', options((o) => delete o.source), `${at}/params`, /no effect without a "source"/],
  ['an operation chosen by a rule', options((o) => (o.source = { var: 'user' })), `${at}/params`, /a rule chooses/],
  [
    'a parameter that reads an unknown field',
    options((o) => (o.params.dep = { var: 'form.knd' })),
    `${at}/params/dep`,
    /"form.knd" does not exist/,
  ],
  [
    'a parameter that reads the field itself',
    options((o) => (o.params.dep = { var: 'form.town' })),
    `${at}/params/dep`,
    /depend on its own value/,
  ],
  ['a text instead of parameters', options((o) => (o.params = 'kind')), `${at}/params`, /is not an object/],
  ['another widget', (ui) => (ui.fields.town['ui:widget'] = 'text'), `${at}/params`, /Only a select/],
])('[ENG-09] compiler rejects dependent options with %s', async (_, change, pointer, message) => {
  const { definitions, problems } = await loadProject(form(change));
  expect(definitions).toBeNull();
  const found = problems.find((problem) => problem.pointer === pointer && message.test(problem.message));
  expect(found, JSON.stringify(problems)).toMatchObject({ file: uiPath, line: expect.any(Number) as number });
  expect(found?.hint).not.toBe('');
});

test('[ENG-09] dependent options need their messages, which other screens do not load', async () => {
  const { problems } = await loadProject(form(undefined, false));
  expect(problems.map(({ message }) => message)).toContain('The rule "options.gone" has no message in "es".');
  const { definitions } = await loadProject(form((ui) => delete ui.fields.town['ui:options'].params));
  expect(definitions?.modules.some(({ source }) => source.includes('options.gone'))).toBe(false);
});
