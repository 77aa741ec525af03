// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { DevViewHeader } from '../../dev-view-header.tsx';
import type { StudioSelection } from '../studio-selection.ts';
import { useResizablePanes } from './resizable-panes.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DefinitionList } from './definition-list.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const text = (es: string) => [{ pointer: '/title', address: '/title', texts: { es } }];
const set = {
  files: { 'flows/alta.json': { file: 'flows/alta.json', version: '1', text: '{}' } },
  texts: { datos: text('Tus datos'), fin: text('Fin'), suelta: text('Suelta') },
  commonTexts: {},
  documents: [],
  fields: {},
  flows: { alta: { id: 'alta', initial: 'a', states: { a: { screen: 'datos' }, b: { screen: 'fin' } } } },
  descriptions: { alta: { area: 'Registro', states: {}, guards: [] } },
  problems: [],
} as Partial<StudioDefinitions> as StudioDefinitions; // a partial fake: the list reads only these properties
const place: StudioSelection = { screen: '', flow: '', common: '', mail: '', help: '', editor: 'texts', look: 'view' };

test('[EST-06] the button that clears the search has a Spanish name', () => {
  render(<DefinitionList set={set} place={place} go={vi.fn()} />);
  const search = screen.getByLabelText(t('search'));
  fireEvent.change(search, { target: { value: 'datos' } });
  fireEvent.click(screen.getByRole('button', { name: 'Borrar la búsqueda', hidden: true }));
  expect(search).toHaveProperty('value', '');
});

test('[EST-06] tree keeps a collapsed journey collapsed, and moves between entries with arrow keys and letters', () => {
  const go = vi.fn();
  const { unmount } = render(<DefinitionList set={set} place={place} go={go} />);
  const lineOf = (item: Element | null) => item?.querySelector('.fui-TreeItemLayout')?.textContent;
  const entries = () => screen.getAllByRole('treeitem').map(lineOf);
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  const focused = () => lineOf(document.activeElement);
  const [alta, datos, fin, suelta] = ['Tus datos alta', 'Tus datos datos', 'Fin fin', 'Suelta suelta'];
  const [area, none, shared] = ['Registro', t('noJourney'), t('entries_common')];
  const all = [area, alta, datos, fin, none, suelta, shared];
  expect(entries()).toEqual(all);
  screen.getByLabelText(t('search')).focus();
  press('ArrowDown');
  expect(focused()).toBe(area);
  press('ArrowDown');
  expect(focused()).toBe(alta);
  press('ArrowLeft');
  unmount();
  render(<DefinitionList set={set} place={place} go={go} />);
  expect(entries()).toEqual([area, alta, none, suelta, shared]);
  screen.getByLabelText(t('search')).focus();
  press('ArrowDown');
  press('ArrowLeft');
  expect(entries(), 'the area with its journeys').toEqual([area, none, suelta, shared]);
  press('ArrowRight');
  press('ArrowDown');
  press('ArrowRight');
  expect(entries()).toEqual(all);
  press('f');
  expect(focused(), 'by its first letter').toBe(fin);
  press('ArrowDown');
  press('ArrowRight');
  expect(focused()).toBe(suelta);
  press('Enter');
  expect(go).toHaveBeenCalledExactlyOnceWith({
    screen: 'suelta',
    flow: '',
    common: '',
    mail: '',
    help: '',
    editor: 'texts',
  });
  fireEvent.click(screen.getByText('alta'));
  expect(go).toHaveBeenLastCalledWith({ screen: '', flow: 'alta', common: '', mail: '', help: '', editor: 'flow' });
  expect(entries(), 'what is opened stays unfolded').toContain(datos);
});

test('[EST-06] Ctrl + K opens a screen or presses a button by some of its letters, ignoring accents', () => {
  const [go, press] = [vi.fn(), vi.fn()];
  render(
    <>
      <DevViewHeader at="studio">
        <button type="button">Publicar</button>
      </DevViewHeader>
      <div className="studio-middle">
        <button type="button" onClick={press}>
          Agregar campo
        </button>
        <button type="button" disabled>
          Agregar nada
        </button>
      </div>
      <CommandPalette set={set} place={{ ...place, editor: 'flow' }} go={go} />
    </>,
  );
  const open = (wanted: string) => {
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    const box = screen.getByRole('combobox');
    fireEvent.change(box, { target: { value: wanted } });
    return box;
  };
  const offered = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  open('public');
  expect(offered(), 'buttons of the header').toEqual([`Publicar ${t('entry_command')}`]);
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
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
    mail: '',
    help: '',
    editor: 'texts',
  });
  open('zzz');
  expect(screen.getByText(t('quickNothing'))).toBeTruthy();
});

test('[EST-06] panes are resized with arrow keys within limits, keep their size, and are reset by a double click', () => {
  const Page = () => {
    const { style, separators } = useResizablePanes();
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
