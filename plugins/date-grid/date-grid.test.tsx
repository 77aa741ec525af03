// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import texts from './texts.json' with { type: 'json' };
import DateGrid from './widget.tsx';

afterEach(cleanup);

const words: Readonly<Record<string, string>> = texts.es;
const t = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
const listed = ['2026-08-31', '2026-09-02', '2026-09-03', '2026-09-04', '2026-09-07'];
const days = [...listed, '2026-09-30', '2026-10-01'].map((fecha) => ({ fecha }));

function draw(data: unknown = days, value?: string) {
  const source = { state: 'ready', data } as const;
  return drawWidget(DateGrid, 'fecha', { fecha: value }, { label: 'Día', t, source });
}
const day = (name: string) => screen.getByRole('button', { name });
const openCalendar = async () => fireEvent.click(await screen.findByRole('button', { name: words['asCalendar'] }));
const radios = () => screen.getAllByRole<HTMLInputElement>('radio').map(({ labels }) => labels?.[0]?.textContent);

test('[AGEN-04] date-grid widget lists the first three available days, across two months, and preselects the first', async () => {
  const { field } = draw();
  await waitFor(() => expect(field.value).toBe('2026-08-31'));
  expect(radios()).toEqual(['lunes 31 de agosto', 'miércoles 2 de setiembre', 'jueves 3 de setiembre']);
  expect(screen.getByRole('radio', { name: 'lunes 31 de agosto', checked: true })).toBeDefined();
  fireEvent.click(screen.getByRole('radio', { name: 'jueves 3 de setiembre' }));
  expect(field.value).toBe('2026-09-03');
});

test('date-grid widget adds a day chosen in the calendar to the list', async () => {
  const { field } = draw();
  await openCalendar();
  fireEvent.click(day('miércoles 30 de setiembre'));
  fireEvent.click(day('Ver los primeros días con cupo'));
  expect(radios()).toHaveLength(4);
  expect(screen.getByRole('radio', { name: 'miércoles 30 de setiembre', checked: true })).toBeDefined();
  expect(field.value).toBe('2026-09-30');
});

test('date-grid widget has no calendar button if the list shows every available day', async () => {
  draw(days.slice(0, 3));
  await screen.findByRole('radio', { name: 'lunes 31 de agosto' });
  expect(screen.queryByRole('button')).toBeNull();
});

test('[AGEN-04] date-grid widget lets the citizen choose only available days in the calendar', async () => {
  const { field } = draw();
  await waitFor(() => expect(field.value).toBe('2026-08-31'));
  await openCalendar();
  fireEvent.click(day('martes 1 de setiembre, sin cupos'));
  expect(field.value).toBe('2026-08-31');
  fireEvent.click(day('miércoles 2 de setiembre'));
  expect(field.value).toBe('2026-09-02');
  expect(day('miércoles 2 de setiembre').getAttribute('aria-pressed')).toBe('true');
});

test('date-grid widget keeps the day of the form, and replaces it if it is no longer available', async () => {
  const kept = draw(undefined, '2026-09-30').field;
  await openCalendar();
  await screen.findByRole('grid', { name: 'Setiembre de 2026' });
  expect(kept.value).toBe('2026-09-30');
  cleanup();
  const lost = draw(undefined, '2026-09-01').field;
  await waitFor(() => expect(lost.value).toBe('2026-08-31'));
});

test('date-grid widget moves with the arrow keys across months and stops at the first and the last day', async () => {
  draw();
  await openCalendar();
  const grid = await screen.findByRole('grid');
  expect(document.activeElement, 'whoever opens it goes on in it').toBe(day('lunes 31 de agosto'));
  fireEvent.keyDown(grid, { key: 'ArrowLeft' });
  expect(document.activeElement).toBe(day('lunes 31 de agosto'));
  fireEvent.keyDown(grid, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(day('martes 1 de setiembre, sin cupos'));
  fireEvent.keyDown(screen.getByRole('grid'), { key: 'PageDown' });
  expect(document.activeElement).toBe(day('jueves 1 de octubre'));
  fireEvent.keyDown(screen.getByRole('grid'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(day('jueves 1 de octubre'));
  expect(screen.getAllByRole('button').filter((button) => button.tabIndex === 0 && button.closest('td'))).toHaveLength(
    1,
  );
});

test('[AGEN-04] date-grid widget opens the first month with two available days, from the first of them on', async () => {
  draw();
  await openCalendar();
  expect(screen.getByRole('grid', { name: 'Setiembre de 2026' })).toBeDefined();
  const [first, ...weeks] = screen.getAllByRole('row').slice(1);
  expect(first?.textContent, 'the only day of August and the first week of September').toBe('31123456');
  expect(weeks).toHaveLength(4);
  fireEvent.click(day('Mes siguiente'));
  expect(
    screen
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent),
    'nothing after the last day',
  ).toEqual(['1']);
  fireEvent.click(day('Mes anterior'));
  expect(day('lunes 31 de agosto').tabIndex).toBe(0);
});

test('date-grid widget disables the buttons for months before the first and after the last available day', async () => {
  draw();
  await openCalendar();
  expect(day('Mes anterior').getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(day('Mes siguiente'));
  const next = day('Mes siguiente');
  expect(next.getAttribute('aria-disabled')).toBe('true');
  expect(next, 'a disabled button would lose the focus').toHaveProperty('disabled', false);
  const shown = screen.getByRole('grid').textContent;
  fireEvent.click(next);
  expect(screen.getByRole('grid').textContent).toBe(shown);
});

test('[AGEN-04] date-grid widget says that no day is available and when to try again, and clears the chosen day', async () => {
  const { field } = draw([], '2026-09-02');
  const status = await screen.findByRole('status');
  expect(status.textContent).toBe(
    'No hay cupos disponiblesProbá de nuevo más tarde: cuando alguien cancela, su cupo queda libre.',
  );
  expect(field.value).toBeUndefined();
});

test('date-grid widget treats a day with `disponible: false` as unavailable', async () => {
  const { field } = draw([
    { fecha: '2026-09-01', disponible: false },
    { fecha: '2026-09-02', disponible: true },
  ]);
  await waitFor(() => expect(field.value).toBe('2026-09-02'));
});
