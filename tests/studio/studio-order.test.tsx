// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDefinitions } from '../../src/engine/compiler/open-definitions.ts';
import { createDefinitionOptions } from '../../src/server/app/definition-options.ts';
import { OrderForm, listFlowOrders, listScreenOrders, type Order } from '../../src/studio/editor/tasks/order-form.tsx';
import type { Studio } from '../../src/studio/editor/use-studio.ts';
import { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { readStudioSet } from '../../src/studio/server/read-studio.ts';
import type { FileChange, StudioSet } from '../../src/studio/studio-data.ts';
import { root } from '../definitions/support/fixtures.ts';
import { renderInStudio } from './support/open-studio.ts';

let set: StudioSet;
let writer: DefinitionWriter;

beforeAll(async () => {
  const definitions = await openDefinitions(createDefinitionOptions(root));
  set = { ...(await readStudioSet(root, definitions)), history: { undo: null, redo: null } };
  writer = new DefinitionWriter(createDefinitionOptions(root), definitions.cache);
});
afterEach(cleanup);

/** Compiles the changes. Returns the resulting files. */
async function compileChanges(changes: readonly FileChange[]): Promise<Readonly<Record<string, unknown>>> {
  const answer = await writer.write({ changes, dryRun: true });
  if (answer.outcome !== 'fine') throw new Error(JSON.stringify(answer));
  return Object.fromEntries(answer.files.map(({ file, text }) => [file, JSON.parse(text)]));
}

function orderOf(orders: readonly Order[], name: string): Order {
  const found = orders.find((order) => order.name === name);
  if (!found) throw new Error(`${name} is not among ${orders.map((order) => order.name).join(', ')}`);
  return found;
}

/** Returns the keys with the last one moved to the front. */
const moveLastToFront = ({ items }: Order) => [...items.slice(-1), ...items.slice(0, -1)].map(({ key }) => key);

describe('[EST-17] reordering', () => {
  test('changes fields in the schema or in their section', async () => {
    const fields = orderOf(listScreenOrders(set, 'registro-nombre'), 'Campos');
    expect(fields.items[0]).toEqual({ key: 'primer_nombre', label: 'Primer nombre' });
    const keys = [
      'segundo_apellido',
      ...fields.items.map(({ key }) => key).filter((key) => key !== 'segundo_apellido'),
    ].toReversed();
    const { 'schemas/registro-nombre/schema.json': schema } = await compileChanges(fields.change(keys));
    expect(Object.keys((schema as { properties: object }).properties)).toEqual(keys);
    const [one] = fields.change([
      'segundo_apellido',
      ...fields.items.map(({ key }) => key).filter((key) => key !== 'segundo_apellido'),
    ]);
    expect(one?.edits, 'a move is one removal and one insertion').toHaveLength(2);

    const section = orderOf(listScreenOrders(set, 'feedback'), 'Campos de la sección «¿Tuviste alguna dificultad?»');
    const files = await compileChanges(section.change(moveLastToFront(section)));
    const { sections } = files['schemas/feedback/ui.json'] as { sections: readonly { fields: readonly string[] }[] };
    expect(sections[0]?.fields.slice(0, 2)).toEqual(['pregunta_3_checkbox_6', 'pregunta_3_checkbox_1']);
  });

  test('changes sections and choices in both languages', async () => {
    const file = (name: string, sections: object) => {
      const path = `schemas/dos/${name}.json`;
      return [path, { file: path, version: '1', text: JSON.stringify({ sections }) }] as const;
    };
    const ui = file('ui', [
      { title: 'Tus datos', fields: ['a'] },
      { title: 'Tu acceso', text: 'Para entrar.', fields: ['b'] },
    ]);
    const pt = file('ui.pt', ['Seus dados', { title: 'O seu acesso', text: 'Para entrar.' }]);
    const two = { ...set, files: Object.fromEntries([ui, pt]) };
    const sections = orderOf(listScreenOrders(two, 'dos'), 'Secciones');
    expect(sections.change(moveLastToFront(sections)).map((change) => [change.file, change.edits?.[0]?.value])).toEqual(
      [
        [
          'schemas/dos/ui.json',
          [expect.objectContaining({ title: 'Tu acceso' }), expect.objectContaining({ title: 'Tus datos' })],
        ],
        ['schemas/dos/ui.pt.json', [expect.objectContaining({ title: 'O seu acesso' }), 'Seus dados']],
      ],
    );

    const choices = orderOf(listScreenOrders(set, 'feedback'), 'Opciones de «¿Qué tan útil te resultó la página?»');
    expect(await compileChanges(choices.change(moveLastToFront(choices)))).toMatchObject({
      'schemas/feedback/schema.json': { properties: { pregunta_1: { enum: [4, 1, 2, 3] } } },
      'schemas/feedback/ui.json': {
        fields: { pregunta_1: { 'ui:enumNames': ['Muy útil', 'Nada útil', 'Poco útil', 'Útil'] } },
      },
      'schemas/feedback/ui.pt.json': {
        fields: { pregunta_1: { 'ui:enumNames': { 0: expect.stringContaining('Muito') } } },
      },
    });
  });

  test('redirects each step to the next one, and changes the initial state', async () => {
    const steps = orderOf(listFlowOrders(set, 'elevacion'), 'Pasos');
    expect(
      steps.items.map(({ key }) => key),
      'the last ends the journey',
    ).toEqual(['condiciones', 'datos', 'fecha']);
    const [change] = steps.change(['datos', 'condiciones', 'fecha']);
    if (!change) throw new Error('nothing changes');
    const { edits = [] } = change;
    expect(Object.keys(await compileChanges([change]))).toEqual(['flows/elevacion.json']);
    expect(edits).toContainEqual({ pointer: '/progress', value: ['datos', 'condiciones', 'fecha', 'confirmar'] });
    expect(edits).toContainEqual({ pointer: '/initial', value: 'datos' });
    const led = edits.filter(({ pointer }) => pointer.startsWith('/states/'));
    expect(led.map(({ pointer, value }) => [pointer.split('/')[2], value])).toEqual(
      expect.arrayContaining([
        ['datos', 'condiciones'],
        ['condiciones', 'fecha'],
      ]),
    );
    expect(
      led.some(({ pointer }) => pointer.startsWith('/states/fecha/')),
      'the last step keeps its transition',
    ).toBe(false);
    expect(listFlowOrders(set, 'agenda-soporte'), 'flows with guarded steps are not offered').toEqual([]);
  });
});

describe('[EST-17] OrderForm', () => {
  const write = vi.fn<Studio['write']>(() => Promise.resolve(true));
  const labels = () => screen.getAllByRole('listitem').map((item) => item.querySelector('span')?.textContent);
  const apply = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Aplicar' });
  const open = () => {
    write.mockClear();
    const items = ['a', 'b', 'c'].map((key) => ({ key, label: key.toUpperCase() }));
    const change = (keys: readonly string[]) => [{ file: keys.join(), base: null, edits: [] }];
    const studio = { busy: false, write } as unknown as Studio; // a partial fake: the form uses only these properties
    renderInStudio(studio, <OrderForm orders={[{ name: 'Letras', items, change }]} onDone={vi.fn()} />);
  };

  test('moves an item with its button, which keeps the focus, announces the position and stops at the end', () => {
    open();
    expect(apply().disabled).toBe(true);
    const up = screen.getByRole('button', { name: 'Subir C' });
    up.focus();
    fireEvent.click(up);
    fireEvent.click(up);
    fireEvent.click(up);
    expect(labels()).toEqual(['C', 'A', 'B']);
    expect(screen.getByRole('status').textContent).toBe('«C» está en el lugar 1 de 3.');
    expect([document.activeElement, up.getAttribute('aria-disabled')]).toEqual([up, 'true']);
    fireEvent.click(apply());
    expect(write).toHaveBeenCalledWith([{ file: 'c,a,b', base: null, edits: [] }]);
  });

  test('moves an item that is dragged', () => {
    open();
    const item = (label: string) => screen.getByText(label).closest('li') as HTMLLIElement;
    fireEvent.dragStart(item('A'), { dataTransfer: { setData: vi.fn() } });
    fireEvent.dragOver(item('B'));
    fireEvent.dragOver(item('C'));
    fireEvent.dragEnd(item('A'));
    fireEvent.dragOver(item('B'));
    expect(labels()).toEqual(['B', 'C', 'A']);
    fireEvent.click(apply());
    expect(write).toHaveBeenCalledWith([{ file: 'b,c,a', base: null, edits: [] }]);
  });
});
