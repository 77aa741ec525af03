// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import type { Place } from '../place.ts';
import { usePanes } from './panes.tsx';
import { QuickOpen } from './quick-open.tsx';
import { SetList } from './set-list.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const text = (es: string) => [{ pointer: '/title', address: '/title', texts: { es } }];
const set = {
  files: { 'flows/alta.json': { file: 'flows/alta.json', version: '1', text: '{}' } },
  texts: { datos: text('Tus datos'), fin: text('¡Listo!'), suelta: text('Suelta') },
  commonTexts: {},
  fields: {},
  flows: { alta: { id: 'alta', initial: 'a', states: { a: { screen: 'datos' }, b: { screen: 'fin' } } } },
  problems: [],
} as Partial<StudioSet> as StudioSet; // what the list reads
const place: Place = { screen: '', flow: '', common: '', editor: 'texts', look: 'view' };

test('[EST-06] the screens of a journey are folded away, and stay so; arrows go from entry to entry', () => {
  const go = vi.fn();
  const { unmount } = render(<SetList set={set} place={place} go={go} />);
  const entries = () => [...document.querySelectorAll('.studio-entry code')].map(({ textContent }) => textContent);
  expect(entries()).toEqual(['alta', 'datos', 'fin', 'suelta']);
  fireEvent.click(screen.getByRole('button', { name: t('fold', { title: 'Tus datos' }) }));
  unmount();
  render(<SetList set={set} place={place} go={go} />);
  expect(entries()).toEqual(['alta', 'suelta']);
  const box = screen.getByLabelText(t('search'));
  box.focus();
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  fireEvent.keyDown(document.activeElement ?? box, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toBe('Suelta suelta');
  fireEvent.keyDown(document.activeElement ?? box, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent, 'the end is the end').toBe('Suelta suelta');
  fireEvent.click(document.activeElement ?? box);
  expect(go).toHaveBeenCalledWith({ screen: 'suelta', flow: '', common: '', editor: 'texts' });
});

test('[EST-06] Ctrl + K goes to a screen or presses a button by some letters, without accents', () => {
  const [go, press] = [vi.fn(), vi.fn()];
  render(
    <>
      <div className="studio-middle">
        <button type="button" onClick={press}>
          Agregar campo
        </button>
        <button type="button" disabled>
          Agregar nada
        </button>
      </div>
      <QuickOpen set={set} place={{ ...place, editor: 'flow' }} go={go} />
    </>,
  );
  const open = (wanted: string) => {
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    const box = screen.getByRole('combobox');
    fireEvent.change(box, { target: { value: wanted } });
    return box;
  };
  const offered = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  const box = open('agregar');
  expect(offered()).toEqual([`Agregar campo ${t('entry_command')}`]);
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(press).toHaveBeenCalledOnce();
  expect(screen.queryByRole('combobox'), 'it closes').toBeNull();
  open('dátos');
  expect(offered()).toEqual([`Tus datos ${t('entry_screen')} datos`, `Tus datos ${t('entry_flow')} alta`]);
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'ArrowUp' });
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('alta');
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'ArrowDown' });
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  expect(go, 'the map is of flows alone').toHaveBeenCalledWith({
    screen: 'datos',
    flow: '',
    common: '',
    editor: 'texts',
  });
  open('zzz');
  expect(screen.getByText(t('quickNothing'))).toBeTruthy();
});

test('[EST-06] panes are resized by arrows within limits, keep their size, and a double click puts them back', () => {
  const Page = () => {
    const { style, separators } = usePanes();
    return <main style={style}>{separators}</main>;
  };
  const { unmount } = render(<Page />);
  const edge = () => screen.getByRole('separator', { name: t('pane_right') });
  const size = () => [edge().getAttribute('aria-valuenow'), screen.getByRole('main').style.getPropertyValue('--right')];
  expect(size()).toEqual(['408', '408px']);
  fireEvent.keyDown(edge(), { key: 'ArrowLeft' });
  expect(size()).toEqual(['424', '424px']);
  for (let press = 0; press < 20; press += 1) fireEvent.keyDown(edge(), { key: 'ArrowRight' });
  expect(size(), 'its least').toEqual(['280', '280px']);
  fireEvent.keyDown(within(document.body).getByRole('separator', { name: t('pane_list') }), { key: 'ArrowRight' });
  unmount();
  render(<Page />);
  expect(size()).toEqual(['280', '280px']);
  expect(screen.getByRole('main').style.getPropertyValue('--list')).toBe('256px');
  fireEvent.doubleClick(edge());
  expect(size()).toEqual(['408', '408px']);
});
