// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { runInAction } from 'mobx';
import { afterEach, expect, test } from 'vitest';
import type { OperationResponseState } from '../../src/engine/react/widget.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import TimeList from './widget.tsx';

afterEach(cleanup);

const createSource = (...times: readonly string[]): OperationResponseState => ({
  state: 'ready',
  data: times.map((time) => ({ hora_inicio: `${time}:00` })),
});

function draw(source: OperationResponseState | null, hora?: string) {
  const { form, field } = createFakeForm({ fecha: '2026-12-01', hora });
  const parts = createFakeParts({ form, field }, 'hora', { options: { dateField: 'fecha' }, label: 'Hora' });
  const renderWith = (shown: OperationResponseState | null) => (
    <DrawnWidget widget={TimeList} {...parts} source={shown} />
  );
  const { rerender } = render(renderWith(source));
  const choose = (day: string) => act(() => runInAction(() => void (field('fecha').value = day)));
  return { field: field('hora'), choose, show: (next: OperationResponseState) => rerender(renderWith(next)) };
}
const listShownTimes = () => screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent);

test('[AGEN-04] time-list widget lists the times of the chosen day and stores the chosen time', () => {
  const { field } = draw(createSource('09:00', '09:30'));
  expect(listShownTimes()).toEqual(['09:00', '09:30']);
  fireEvent.click(screen.getByRole('radio', { name: '09:30' }));
  expect(field.value).toBe('09:30:00');
});

test('[AGEN-04] time-list widget separates morning and afternoon, and first shows the part of the chosen time', () => {
  draw(createSource('09:00', '11:30', '12:00', '16:00'), '16:00:00');
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
  draw(createSource('14:00'));
  expect(screen.queryByRole('button'), 'one part needs no choice').toBeNull();
  expect(listShownTimes()).toEqual(['14:00']);
});

test('[AGEN-04] time-list widget clears the chosen time on another day, even if that day has the same time', () => {
  const { field, choose } = draw(createSource('09:00'), '09:00:00');
  expect(field.value, 'kept on the way back').toBe('09:00:00');
  choose('2026-12-02');
  expect(field.value).toBeUndefined();
});

test('[AGEN-04] time-list widget draws as many placeholders as the day before had times, and eight at first', () => {
  const { show } = draw({ state: 'loading' });
  const placeholders = () => document.querySelectorAll('.time-list-part .skeleton').length;
  expect(placeholders()).toBe(8);
  show(createSource('09:00', '09:30', '10:00'));
  expect(placeholders()).toBe(0);
  show({ state: 'loading' });
  expect(placeholders()).toBe(3);
});

test('[AGEN-04] time-list widget only keeps its place without a day', () => {
  draw(null);
  expect(screen.queryByRole('group')).toBeNull();
  expect(document.querySelector('.time-list-place')?.getAttribute('aria-hidden')).toBe('true');
});
