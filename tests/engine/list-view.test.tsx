// @vitest-environment happy-dom
import './support/count-components.ts';
import { act, cleanup, fireEvent, screen as page, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { draw } from '../definitions/support/draw.tsx';
import { formatOutline } from '../definitions/support/outline.ts';
import { countRenderedComponents } from './support/count-components.ts';
import { validItem, openListForm, type Change } from './support/list-form.ts';

afterEach(cleanup);

const bob = { name: 'Bob', kind: 'other', which: 'Tío' };

async function open(values: Readonly<Record<string, unknown>> = {}, change?: Change) {
  const { screen, draft } = await openListForm(values, change);
  const { container } = await draw(screen, draft, {});
  return { draft, container };
}

const list = (name = 'Familiares') => page.getByRole('group', { name: new RegExp(`^${name}`) });
const press = (name: string) => act(() => page.getByRole('button', { name }).click());
const buttons = (of: HTMLElement) =>
  within(of)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent);
const namesIn = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLInputElement>('[name$=".name"]')].map(({ value }) => value);

describe('[ENG-06] list on a screen', () => {
  test('is drawn with a title per item, and its buttons name their item', async () => {
    const { container } = await open({ kin: [validItem, bob], phones: ['1'] });
    expect(page.getByRole('group', { name: 'Familiar 2' }).contains(page.getByDisplayValue('Bob'))).toBe(true);
    expect(buttons(list())).toEqual([
      'Bajar Familiar 1',
      'Quitar Familiar 1',
      'Subir Familiar 2',
      'Quitar Familiar 2',
      'Agregar Familiar',
    ]);
    expect(container.querySelectorAll('#field-kin-1-which')).toHaveLength(1);
    expect(container.querySelectorAll('#field-kin-0-which')).toHaveLength(0);
    await expect(formatOutline(container)).toMatchFileSnapshot('snapshots/list.txt');
  });

  test('adds an item, focuses its first field and announces it', async () => {
    const { draft } = await open({ kin: [validItem] });
    press('Agregar Familiar');
    expect(document.activeElement?.id).toBe('field-kin-1-name');
    expect(within(list()).getByRole('status').textContent).toBe('Se agregó Familiar 2.');
    fireEvent.change(document.activeElement!, { target: { value: 'Eva' } });
    expect(draft.values.kin).toEqual([validItem, { name: 'Eva' }]);
  });

  test('removes an item, restores it with its values, and moves the focus', async () => {
    const { container } = await open({ kin: [validItem, bob] });
    fireEvent.change(page.getByDisplayValue('Ana'), { target: { value: 'Anita' } });
    press('Quitar Familiar 1');
    expect(namesIn(container)).toEqual(['Bob']);
    expect(document.activeElement?.textContent).toBe('Familiar 1');
    expect(within(list()).getByRole('status').textContent).toBe('Se quitó Familiar 1.');
    press('Deshacer');
    expect(namesIn(container)).toEqual(['Anita', 'Bob']);
    expect(document.activeElement?.textContent).toBe('Familiar 1');
    expect(page.queryByRole('button', { name: 'Deshacer' })).toBeNull();
    press('Quitar Familiar 2');
    expect(document.activeElement?.textContent, 'focus after removing the last item').toBe('Agregar Familiar');
  });

  test('moves an item with its buttons, which keep the focus, and announces its position', async () => {
    const { container } = await open({ kin: [validItem, bob, { ...validItem, name: 'Eva' }] });
    const first = page.getByDisplayValue('Ana');
    press('Bajar Familiar 1');
    expect(namesIn(container)).toEqual(['Bob', 'Ana', 'Eva']);
    expect(page.getByDisplayValue('Ana'), 'the control was not replaced').toBe(first);
    expect(document.activeElement?.textContent).toBe('Bajar Familiar 2');
    expect(within(list()).getByRole('status').textContent).toBe('Familiar 1: lugar 2 de 3.');
    press('Bajar Familiar 2');
    expect(document.activeElement?.textContent, 'the last item cannot move down').toBe('Subir Familiar 3');
  });

  test('shows messages at their items, and the error summary links to their controls', async () => {
    const { draft } = await open({ kin: [validItem, { name: 'x' }], phones: ['1', '1'] });
    act(() => void draft.submit());
    const links = page.getAllByRole('link').map(({ textContent, ...link }) => [textContent, link]);
    expect(links.map(([text]) => text)).toEqual([
      'Familiar 2, Nombre: Mínimo 3',
      'Familiar 2, Vínculo: Falta',
      'Teléfonos: Hay dos iguales',
    ]);
    fireEvent.click(page.getByRole('link', { name: /Nombre/ }));
    expect(document.activeElement?.id).toBe('field-kin-1-name');
    fireEvent.click(page.getByRole('link', { name: /Teléfonos/ }));
    expect(document.activeElement).toBe(list('Teléfonos'));
    press('Bajar Familiar 1');
    expect(document.querySelector('[data-field="kin.0.name"]')?.textContent).toContain('Mínimo 3');
    expect(page.getByRole('link', { name: /Nombre/ }).textContent).toBe('Familiar 1, Nombre: Mínimo 3');
    press('Quitar Familiar 1');
    expect(page.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Teléfonos: Hay dos iguales']);
  });

  test('offers only the buttons that its options and maxItems allow', async () => {
    const options = { addable: false, removable: false, orderable: false };
    await open(
      { kin: [validItem, bob], phones: ['1', '2', '3'] },
      { ui: (ui) => (ui.fields.kin['ui:options'] = options) },
    );
    expect(buttons(list())).toEqual([]);
    expect(buttons(list('Teléfonos'))).not.toContain('Agregar Teléfono');
  });

  test('is not drawn while its rule hides it, and returns with its items', async () => {
    const rule = { var: 'form.extra' };
    const { draft } = await open({ phones: ['1'], kind: 'b' }, { ui: (ui) => (ui.visible.phones = rule) });
    expect(page.queryByRole('group', { name: /^Teléfonos/ })).toBeNull();
    expect(draft.submit()?.data).not.toHaveProperty('phones');
    act(() => draft.field('extra')?.set('x'));
    expect(page.getByDisplayValue('1').id).toBe('field-phones-0');
    expect(draft.submit()?.data).toMatchObject({ phones: ['1'] });
  });

  test.each([3, 50])(
    'renders on a keystroke in one of %i items as many components as a field outside the list',
    async (size) => {
      const items = Array.from({ length: size }, (_, index) => ({ ...validItem, name: `Ana${index}` }));
      const { draft, container } = await open({ kin: items });
      const type = (name: string, value: string) => {
        const control = container.querySelector(`[name="${name}"]`);
        return countRenderedComponents(() => act(() => void fireEvent.change(control!, { target: { value } })));
      };
      const beside = type('email', 'c@d.uy');
      expect(beside).toBeGreaterThan(0);
      expect(type('kin.1.name', 'Eva')).toBe(beside);
      expect(draft.field('kin.1.name')?.value).toBe('Eva');
      expect(type('kin.1.name', 'E'), 'rejected value without a message').toBeLessThanOrEqual(5);
      expect(type('kin.1.place.city', 'Salto')).toBeLessThanOrEqual(4);
    },
  );
});
