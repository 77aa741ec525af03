// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import texts from './texts.json' with { type: 'json' };
import DateGrid from './widget.tsx';

afterEach(cleanup);

const words: Readonly<Record<string, string>> = texts.es;
const t = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
const listed = ['2026-08-31', '2026-09-02', '2026-09-03', '2026-09-04', '2026-09-07'];
const days = [...listed, '2026-09-30', '2026-10-01'].map((fecha) => ({ fecha }));

function draw(answer: () => Promise<unknown> = async () => days, value?: string) {
  const { form, field } = createFakeForm({ fecha: value });
  const load = vi.fn(answer);
  render(
    <DrawnWidget
      widget={DateGrid}
      {...createFakeParts({ form, field }, 'fecha', { options: { source: 'getDays' }, label: 'Día', t, load })}
    />,
  );
  return { field: field('fecha'), load };
}
const day = (name: string) => screen.getByRole('button', { name });
const openCalendar = async () => fireEvent.click(await screen.findByRole('button', { name: words['asCalendar'] }));
const radios = () => screen.getAllByRole<HTMLInputElement>('radio').map(({ labels }) => labels?.[0]?.textContent);

test('[AGEN-04] the first three days stand as a list over the end of a month, the first of them is chosen beforehand', async () => {
  const { field } = draw();
  await waitFor(() => expect(field.value).toBe('2026-08-31'));
  expect(radios()).toEqual(['lunes 31 de agosto', 'miércoles 2 de setiembre', 'jueves 3 de setiembre']);
  expect(screen.getByRole('radio', { name: 'lunes 31 de agosto', checked: true })).toBeDefined();
  fireEvent.click(screen.getByRole('radio', { name: 'jueves 3 de setiembre' }));
  expect(field.value).toBe('2026-09-03');
});

test('a day that is chosen in the calendar stands in the list too', async () => {
  const { field } = draw();
  await openCalendar();
  fireEvent.click(day('Mes siguiente'));
  fireEvent.click(day('miércoles 30 de setiembre'));
  fireEvent.click(day('Ver los primeros días con cupo'));
  expect(radios()).toHaveLength(4);
  expect(screen.getByRole('radio', { name: 'miércoles 30 de setiembre', checked: true })).toBeDefined();
  expect(field.value).toBe('2026-09-30');
});

test('where the list holds all days there is no calendar', async () => {
  draw(async () => days.slice(0, 3));
  await screen.findByRole('radio', { name: 'lunes 31 de agosto' });
  expect(screen.queryByRole('button')).toBeNull();
});

test('[AGEN-04] in the calendar only listed days can be chosen', async () => {
  const { field, load } = draw();
  await waitFor(() => expect(field.value).toBe('2026-08-31'));
  expect(load).toHaveBeenCalledWith('getDays');
  await openCalendar();
  fireEvent.click(day('Mes siguiente'));
  expect(screen.getByRole('grid', { name: 'Setiembre de 2026' })).toBeDefined();
  fireEvent.click(day('martes 1 de setiembre, sin cupos'));
  expect(field.value).toBe('2026-08-31');
  fireEvent.click(day('miércoles 2 de setiembre'));
  expect(field.value).toBe('2026-09-02');
  expect(day('miércoles 2 de setiembre').getAttribute('aria-pressed')).toBe('true');
});

test('a day that was chosen before stays, unless it is taken meanwhile', async () => {
  const kept = draw(undefined, '2026-09-30').field;
  await openCalendar();
  await screen.findByRole('grid', { name: 'Setiembre de 2026' });
  expect(kept.value).toBe('2026-09-30');
  cleanup();
  const lost = draw(undefined, '2026-09-01').field;
  await waitFor(() => expect(lost.value).toBe('2026-08-31'));
});

test('the arrow keys walk over the ends of months and stop at the first and the last day', async () => {
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

test('there is no month before the first day, and none after the last', async () => {
  draw();
  await openCalendar();
  expect(day('Mes anterior').getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(day('Mes siguiente'));
  fireEvent.click(day('Mes siguiente'));
  const next = day('Mes siguiente');
  expect(next.getAttribute('aria-disabled')).toBe('true');
  expect(next, 'a disabled button would lose the focus').toHaveProperty('disabled', false);
  const shown = screen.getByRole('grid').textContent;
  fireEvent.click(next);
  expect(screen.getByRole('grid').textContent).toBe(shown);
});

test('[AGEN-04] without a day it says so, and takes an old choice back', async () => {
  const { field } = draw(async () => [], '2026-09-02');
  expect((await screen.findByText('No hay cupos disponibles')).getAttribute('role')).toBe('status');
  expect(field.value).toBeUndefined();
});

test('days that are taken are told so by `disponible`', async () => {
  const { field } = draw(async () => [
    { fecha: '2026-09-01', disponible: false },
    { fecha: '2026-09-02', disponible: true },
  ]);
  await waitFor(() => expect(field.value).toBe('2026-09-02'));
});

test('a list that does not come can be asked for again', async () => {
  let fails = true;
  const { field } = draw(async () => {
    if (fails) throw new Error('offline');
    return days;
  });
  expect((await screen.findByRole('alert')).textContent).toContain('No se pudieron cargar los días.');
  fails = false;
  const retry = screen.getByRole('button', { name: 'Probar de nuevo' });
  retry.focus();
  fireEvent.click(retry);
  expect(document.activeElement, 'the button goes').toBe(screen.getByRole('group'));
  await waitFor(() => expect(field.value).toBe('2026-08-31'));
});
