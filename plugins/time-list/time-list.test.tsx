// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { runInAction } from 'mobx';
import { afterEach, expect, test, vi } from 'vitest';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import TimeList from './widget.tsx';

afterEach(cleanup);

type Answer = (fecha: string) => Promise<unknown>;
const createAnswer = (...times: readonly string[]) => times.map((time) => ({ hora_inicio: `${time}:00` }));

function draw(answer: Answer, fecha: string | undefined = '2026-12-01', hora?: string) {
  const { form, field } = createFakeForm({ fecha, hora });
  const load = vi.fn((_: string, params: Readonly<Record<string, string>> = {}) => answer(params['fecha'] ?? ''));
  render(
    <DrawnWidget
      widget={TimeList}
      {...createFakeParts({ form, field }, 'hora', {
        options: { source: 'getHours', dateField: 'fecha' },
        label: 'Hora',
        load,
      })}
    />,
  );
  const choose = (day: string) => act(() => runInAction(() => void (field('fecha').value = day)));
  return { field: field('hora'), load, choose };
}
const listShownTimes = () => screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent);

test('[AGEN-04] time-list widget loads the times of the chosen day and stores the chosen time', async () => {
  const { field, load } = draw(async () => createAnswer('09:00', '09:30'));
  await screen.findAllByRole('radio');
  expect(load).toHaveBeenCalledWith('getHours', { fecha: '2026-12-01' });
  expect(listShownTimes()).toEqual(['09:00', '09:30']);
  fireEvent.click(screen.getByRole('radio', { name: '09:30' }));
  expect(field.value).toBe('09:30:00');
});

test('[AGEN-04] time-list widget separates morning and afternoon, and first shows the part of the chosen time', async () => {
  draw(async () => createAnswer('09:00', '11:30', '12:00', '16:00'), '2026-12-01', '16:00:00');
  await screen.findAllByRole('radio');
  const listParts = () =>
    screen.getAllByRole('button').map((part) => [part.textContent, part.getAttribute('aria-pressed')]);
  expect([listParts(), listShownTimes()]).toEqual([
    [
      ['morning', 'false'],
      ['afternoon', 'true'],
    ],
    ['12:00', '16:00'],
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'morning' }));
  expect([listParts(), listShownTimes()]).toEqual([
    [
      ['morning', 'true'],
      ['afternoon', 'false'],
    ],
    ['09:00', '11:30'],
  ]);
  cleanup();
  draw(async () => createAnswer('14:00'));
  await screen.findAllByRole('radio');
  expect(screen.queryByRole('button'), 'one part needs no choice').toBeNull();
  expect(listShownTimes()).toEqual(['14:00']);
});

test('[AGEN-04] time-list widget loads the times of another day and clears the chosen time', async () => {
  const { field, choose } = draw(
    async (fecha) => (fecha === '2026-12-01' ? createAnswer('09:00') : createAnswer('09:00', '10:00')),
    '2026-12-01',
    '09:00:00',
  );
  await screen.findAllByRole('radio');
  expect(field.value, 'kept on the way back').toBe('09:00:00');
  choose('2026-12-02');
  await waitFor(() => expect(listShownTimes()).toEqual(['09:00', '10:00']));
  expect(field.value).toBeUndefined();
});

test('time-list widget clears a chosen time that is no longer available', async () => {
  const { field } = draw(async () => createAnswer('10:00'), '2026-12-01', '09:00:00');
  await screen.findAllByRole('radio');
  expect(field.value).toBeUndefined();
});

test('time-list widget ignores a late response for a day that is no longer chosen', async () => {
  let resolveAnswer: (answer: unknown) => void = () => undefined;
  const late = new Promise((resolve) => {
    resolveAnswer = resolve;
  });
  const { choose } = draw((fecha) => (fecha === '2026-12-01' ? late : Promise.resolve(createAnswer('10:00'))));
  choose('2026-12-02');
  await waitFor(() => expect(listShownTimes()).toEqual(['10:00']));
  await act(async () => resolveAnswer(createAnswer('09:00')));
  expect(listShownTimes()).toEqual(['10:00']);
});

test('[AGEN-04] time-list widget says that a day has no times, and offers a retry after a failure', async () => {
  let fails = true;
  const { choose } = draw(async (fecha) => {
    if (fails) throw new Error('offline');
    return fecha === '2026-12-01' ? [] : createAnswer('10:00');
  });
  expect((await screen.findByRole('alert')).textContent).toContain('failed');
  fails = false;
  const retry = screen.getByRole('button', { name: 'retry' });
  retry.focus();
  fireEvent.click(retry);
  expect(document.activeElement, 'the button goes').toBe(screen.getByRole('group'));
  expect(await screen.findByText('none')).toBeDefined();
  choose('2026-12-02');
  await waitFor(() => expect(listShownTimes()).toEqual(['10:00']));
});

test('[AGEN-04] time-list widget draws as many placeholders as the day before had times, and eight at first', async () => {
  const { choose } = draw(async () => createAnswer('09:00', '09:30', '10:00'));
  const placeholders = () => document.querySelectorAll('.time-list-part .skeleton').length;
  expect(placeholders()).toBe(8);
  await screen.findAllByRole('radio');
  expect(placeholders()).toBe(0);
  choose('2026-12-02');
  expect(placeholders()).toBe(3);
  await screen.findAllByRole('radio');
});

test('[AGEN-04] time-list widget loads nothing and only keeps its place without a day', () => {
  const { load } = draw(async () => createAnswer('10:00'), '');
  expect(screen.queryByRole('group')).toBeNull();
  expect(document.querySelector('.time-list-place')?.getAttribute('aria-hidden')).toBe('true');
  expect(load).not.toHaveBeenCalled();
});
