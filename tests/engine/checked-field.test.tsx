// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createForm, AsyncFieldCheck } from '../../src/engine/index.ts';
import { createEngine, EngineProvider, plainTheme, Screen } from '../../src/engine/react.ts';
import { createObjectSchema, text, createTitledFields } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

afterEach(cleanup);

const files = (check: string) =>
  createFormFiles({
    schema: createObjectSchema({ alias: { ...text, minLength: 2 } }, ['alias']),
    ui: { fields: createTitledFields({ alias: 'Alias' }, { alias: { 'ui:options': { check } } }) },
  });

async function opened() {
  const { definitions, problems } = await loadProject(files('list'));
  if (!definitions) throw new Error(JSON.stringify(problems));
  const form = createForm(await importScreen(definitions, 'sample'));
  const asked: { value: string; signal: AbortSignal; answer: (response: unknown) => void; fail: () => void }[] = [];
  const engine = createEngine({
    load: (operation, { value = '' } = {}, signal = new AbortController().signal) =>
      new Promise((answer, fail) => {
        if (operation === 'list') asked.push({ value, signal, answer, fail: () => fail(new Error('offline')) });
      }),
  });
  const sent: unknown[] = [];
  const nothing = () => undefined;
  const send = () => void form.submit().then((values) => sent.push(values));
  const parts = { form: form.model, context: {}, facts: {}, notice: null, busy: false, direction: 'none' } as const;
  const screen = await importScreen(definitions, 'sample');
  render(
    <EngineProvider value={engine}>
      <Screen {...parts} screen={screen} theme={plainTheme} onEvent={send} onDismiss={nothing} />
    </EngineProvider>,
  );
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  const control = () => page.getByLabelText(/^Alias/);
  const type = (value: string) => act(async () => void fireEvent.change(control(), { target: { value } }));
  const leave = () => act(async () => void fireEvent.blur(control()));
  const answer = (at: number, response: unknown) => act(async () => asked[at]?.answer(response));
  const submit = () => act(async () => void fireEvent.click(page.getByRole('button', { name: 'Enviar' })));
  const alerts = () => page.queryAllByRole('alert').map(({ textContent }) => textContent);
  const isBusy = () => page.queryAllByRole('status').some(({ textContent }) => textContent === 'One moment…');
  return { form, asked, sent, type, leave, answer, submit, alerts, isBusy };
}

test('[ENG-09] field with a check requests it on blur, announces request and error, and reuses earlier results', async () => {
  const { asked, type, leave, answer, alerts, isBusy } = await opened();
  await type('ana');
  expect([asked.length, isBusy()]).toEqual([0, false]);
  await leave();
  expect([asked.map(({ value }) => value), isBusy(), alerts()]).toEqual([['ana'], true, []]);
  await answer(0, { message: 'Ya existe' });
  expect([isBusy(), alerts()]).toEqual([false, ['Ya existe']]);
  await type('anabel');
  expect(alerts()).toEqual([]);
  await leave();
  await answer(1, {});
  expect(alerts()).toEqual([]);
  await type('ana');
  await leave();
  expect([asked.length, alerts()]).toEqual([2, ['Ya existe']]);
});

test('[ENG-09] field with a check aborts the request when the value changes, and ignores its late response', async () => {
  const { asked, type, leave, answer, alerts, isBusy } = await opened();
  await type('ana');
  await leave();
  await type('eva');
  expect([asked[0]?.signal.aborted, isBusy()]).toEqual([true, false]);
  await answer(0, { message: 'Ya existe' });
  expect(alerts()).toEqual([]);
});

test('[ENG-09] field with a check does not request it for a value that its schema rejects', async () => {
  const { asked, type, leave } = await opened();
  await type('a');
  await leave();
  expect(asked).toEqual([]);
});

test('[ENG-09] submit waits for the check of a field that was not left, and does not send a rejected value', async () => {
  const { asked, sent, type, answer, submit, alerts } = await opened();
  await type('ana');
  await submit();
  expect([asked.length, sent]).toEqual([1, []]);
  await answer(0, { message: 'Ya existe' });
  expect([sent, alerts()]).toEqual([[null], ['Ya existe']]);
  await type('eva');
  await submit();
  await answer(1, null);
  expect(sent).toEqual([null, { alias: 'eva' }]);
});

test('[ENG-09] failed check does not reject the value, and is requested again at the next submit', async () => {
  const { asked, sent, type, leave, submit } = await opened();
  await type('ana');
  await leave();
  await act(async () => asked[0]?.fail());
  await submit();
  expect(asked.length).toBe(2);
  await act(async () => asked[1]?.fail());
  expect(sent).toEqual([{ alias: 'ana' }]);
});

test('[ENG-09] submit runs the check of a field without a view', async () => {
  const { form } = await opened();
  cleanup();
  const field = form.model.field('alias');
  const check = new AsyncFieldCheck(async (value) => (value === 'ana' ? 'Ya existe' : null));
  form.set('alias', 'ana');
  field?.checkWith(check);
  expect([form.errors, await form.submit(), form.errors]).toEqual([{}, null, { alias: 'Ya existe' }]);
});

test('[ENG-09] compiler reports an unknown operation in the option `check`', async () => {
  const { problems } = await loadProject(files('nobody'));
  expect(problems.map(({ pointer, message }) => [pointer, message])).toEqual([
    ['/fields/alias/ui:options/check', 'Unknown operation "nobody".'],
  ]);
});
