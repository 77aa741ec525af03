// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ReorderForm } from '../../src/studio/editor/tasks/reorder-form.tsx';
import { listReorderableStepLists } from '../../src/studio/editor/tasks/reorderable-flow-lists.ts';
import { listReorderableHelpLists } from '../../src/studio/editor/mails-and-help-pages.ts';
import type { ReorderableList } from '../../src/studio/editor/tasks/reorderable-list.ts';
import { listReorderableScreenLists } from '../../src/studio/editor/tasks/reorderable-screen-lists.ts';
import type { StudioContextValue } from '../../src/studio/editor/use-studio.ts';
import type { StudioReferenceData } from '../../src/studio/dev-page-data.ts';
import type { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import type { FileChange, StudioDefinitions } from '../../src/studio/studio-api-types.ts';
import { openStudio, renderInStudio } from './support/open-studio.ts';

let set: StudioDefinitions;
let referenceData: StudioReferenceData;
let writer: DefinitionWriter;

beforeAll(async () => {
  ({ set, referenceData, writer } = await openStudio());
});
afterEach(cleanup);

/** Compiles the changes. Returns the resulting files. */
async function compileChanges(changes: readonly FileChange[]): Promise<Readonly<Record<string, unknown>>> {
  const answer = await writer.writeChanges({ changes, dryRun: true });
  if (answer.outcome !== 'fine') throw new Error(JSON.stringify(answer));
  return Object.fromEntries(answer.files.map(({ file, text }) => [file, JSON.parse(text)]));
}

function orderOf(orders: readonly ReorderableList[], name: string): ReorderableList {
  const found = orders.find((order) => order.name === name);
  if (!found) throw new Error(`${name} is not among ${orders.map((order) => order.name).join(', ')}`);
  return found;
}

/** Returns the keys with the last one moved to the front. */
const moveLastToFront = ({ items }: ReorderableList) =>
  [...items.slice(-1), ...items.slice(0, -1)].map(({ key }) => key);

describe('[EST-17] reordering', () => {
  test('changes fields in the schema or in their section', async () => {
    const fields = orderOf(listReorderableScreenLists(set, 'registro-nombre'), 'Campos');
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

    const section = orderOf(
      listReorderableScreenLists(set, 'feedback'),
      'Campos de la sección «¿Tuviste alguna dificultad?»',
    );
    const files = await compileChanges(section.change(moveLastToFront(section)));
    const { sections } = files['schemas/feedback/ui.json'] as { sections: readonly { fields: readonly string[] }[] };
    expect(sections[0]?.fields.slice(0, 2)).toEqual(['pregunta_3_checkbox_6', 'pregunta_3_checkbox_1']);
  });

  test('places the fields that the order does not name, and leaves the others to "*"', async () => {
    const fields = orderOf(listReorderableScreenLists(set, 'contacto'), 'Campos');
    const keys = fields.items.map(({ key }) => key);
    const rest = keys.slice(2, -1);
    expect([keys.slice(0, 2), keys.at(-1)]).toEqual([['asunto', 'mensaje'], '*']);
    expect(rest.length).toBeGreaterThan(1);
    const write = (moved: readonly string[]) => fields.change(moved)[0]?.edits?.[0]?.value;
    expect(write(keys)).toEqual(['asunto', 'mensaje', '*']);
    const last = rest.at(-1) ?? '';
    const first = [last, ...keys.filter((key) => key !== last)];
    expect(write(first)).toEqual([last, 'asunto', 'mensaje', '*']);
    expect(write([...keys.filter((key) => key !== rest[0]), rest[0] ?? ''])).toEqual([
      'asunto',
      'mensaje',
      '*',
      rest[0],
    ]);
    expect(write(['asunto', 'mensaje', ...rest.toReversed(), '*'])).toEqual([
      'asunto',
      'mensaje',
      ...rest.toReversed().slice(0, -1),
      '*',
    ]);
    await compileChanges(fields.change(first));
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
    const sections = orderOf(listReorderableScreenLists(two, 'dos'), 'Secciones');
    expect(sections.change(moveLastToFront(sections)).map((change) => [change.file, change.edits?.[0]?.value])).toEqual(
      [
        [
          'schemas/dos/ui.json',
          [expect.objectContaining({ title: 'Tu acceso' }), expect.objectContaining({ title: 'Tus datos' })],
        ],
        ['schemas/dos/ui.pt.json', [expect.objectContaining({ title: 'O seu acesso' }), 'Seus dados']],
      ],
    );

    const choices = orderOf(
      listReorderableScreenLists(set, 'feedback'),
      'Opciones de «¿Qué tan útil te resultó la página?»',
    );
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
    const steps = orderOf(listReorderableStepLists(set, referenceData, 'elevacion'), 'Pasos');
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
    const names = listReorderableStepLists(set, referenceData, 'agenda-soporte').map(({ name }) => name);
    expect(names, 'a guard passes a step over').not.toContain('Pasos');
  });
});

describe('[EST-17] reordering', () => {
  test('changes buttons of the same event, links, paragraphs and parts in both languages', async () => {
    const changed = async (name: string, order: string) => {
      const own = orderOf(listReorderableScreenLists(set, name), order);
      return compileChanges(own.change(moveLastToFront(own)));
    };
    const buttons = await changed('segundo-factor-exito', 'Botones');
    const texts = (file: string) =>
      (JSON.parse(set.files[`schemas/segundo-factor-exito/${file}.json`]?.text ?? '') as { actions: unknown }).actions;
    expect(buttons).toMatchObject({
      'schemas/segundo-factor-exito/ui.json': { actions: (texts('ui') as unknown[]).toReversed() },
      'schemas/segundo-factor-exito/ui.pt.json': {
        actions: { submit: (texts('ui.pt') as { submit: string[] }).submit.toReversed() },
      },
    });
    expect(Object.keys(await changed('registro', 'Enlaces')), 'the translation has the address of each').toEqual([
      'schemas/registro/ui.json',
    ]);
    const parts = await changed('contacto', 'Partes de al lado del formulario');
    const before = JSON.parse(set.files['schemas/contacto/ui.pt.json']?.text ?? '') as { aside: { parts: unknown[] } };
    expect(parts['schemas/contacto/ui.pt.json']).toMatchObject({
      aside: { parts: [before.aside.parts.at(-1), ...before.aside.parts.slice(0, -1)] },
    });
    const links = ['login', 'registro-contrasena'].map((name) =>
      listReorderableScreenLists(set, name)
        .filter((order) => order.name.startsWith('Enlaces de «'))
        .map(({ items }) => items.length),
    );
    expect(links, 'of a part, and of a field').toEqual([[4], [2]]);
  });

  test('changes conditional titles, but the title of all other cases stays the last one', async () => {
    const titles = orderOf(
      listReorderableScreenLists(set, 'firma-digital-requisitos'),
      'Qué título se muestra primero',
    );
    expect(titles.items.map(({ key }) => key)).toEqual(['0', '1']);
    const { title } = JSON.parse(set.files['schemas/firma-digital-requisitos/ui.json']?.text ?? '') as {
      title: unknown[];
    };
    const files = await compileChanges(titles.change(['1', '0']));
    expect(files['schemas/firma-digital-requisitos/ui.json']).toMatchObject({ title: [title[1], title[0], title[2]] });
    expect(Object.keys(files)).toContain('schemas/firma-digital-requisitos/ui.pt.json');
  });

  test('changes the branches of a transition, but the branch for all other cases stays the last one', async () => {
    const branches = listReorderableStepLists(set, referenceData, 'elevacion').filter(({ name }) =>
      name.startsWith('Qué rama se toma primero: '),
    );
    const order = branches.find(({ name }) => name.includes('si responde'));
    if (!order) throw new Error('no branches');
    const states = (content: unknown) =>
      (content as { states: Record<string, { on?: { submit?: { onDone?: unknown[] } } }> }).states;
    const own = states(JSON.parse(set.files['flows/elevacion.json']?.text ?? ''))['datos']?.on?.submit?.onDone ?? [];
    expect(order.items.map(({ key }) => key)).toEqual(own.slice(0, -1).map((_, index) => String(index)));
    for (const { label } of order.items) expect(label).toMatch(/^si .+: .+/);
    const files = await compileChanges(order.change(moveLastToFront(order)));
    expect(states(files['flows/elevacion.json'])['datos']?.on?.submit?.onDone).toEqual([
      own.at(-2),
      ...own.slice(0, -2),
      own.at(-1),
    ]);
    const shared = listReorderableStepLists(set, referenceData, 'ingreso').map(({ name }) => name);
    expect(shared).toContain('Qué rama se toma primero: ramas «rechazada»');
  });

  test('changes the first steps of a journey up to the one that branches', () => {
    const steps = orderOf(listReorderableStepLists(set, referenceData, 'registro'), 'Pasos');
    expect(steps.items.map(({ key }) => key)).toEqual(['documento', 'nombre']);
    const [change] = steps.change(['nombre', 'documento']);
    expect(change?.edits).toContainEqual({ pointer: '/initial', value: 'nombre' });
    expect(change?.edits).toContainEqual(
      expect.objectContaining({ pointer: expect.stringMatching(/^\/states\/documento\//), value: 'correo' }),
    );
  });

  test('changes the questions of a category and the related questions of a page in both languages', async () => {
    const help = set.documents.find(({ name }) => name === 'preguntas/como-me-registro');
    if (!help) throw new Error('no such question');
    const orders = listReorderableHelpLists(set, help);
    const questions = orderOf(orders, 'Preguntas de la categoría «registro»');
    expect(questions.items[0]).toEqual({ key: 'preguntas/como-me-registro', label: '¿Cómo me registro?' });
    const keys = questions.items.map(({ key }) => key);
    const swapped = [keys[1] ?? '', keys[0] ?? '', ...keys.slice(2)];
    const changes = questions.change(swapped);
    expect(changes.map(({ file }) => file.replace(/^.*content\//, '')).sort()).toEqual(
      ['es', 'pt'].flatMap((language) => keys.slice(0, 2).map((key) => `${language}/${key}.md`)).sort(),
    );
    expect(await writer.writeChanges({ changes, dryRun: true })).toMatchObject({ outcome: 'fine' });
    const related = orderOf(orders, 'Preguntas relacionadas');
    const [es] = related.change(related.items.map(({ key }) => key).toReversed());
    expect(es?.text).toContain(
      'relacionadas: [los-datos-son-incorrectos, no-me-llego-el-correo-de-activacion]\n---\n\n1. Entrá',
    );
  });
});

describe('[EST-17] ReorderForm', () => {
  const write = vi.fn<StudioContextValue['write']>(() => Promise.resolve(true));
  const labels = () => screen.getAllByRole('listitem').map((item) => item.querySelector('span')?.textContent);
  const apply = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Aplicar' });
  const open = () => {
    write.mockClear();
    const items = ['a', 'b', 'c'].map((key) => ({ key, label: key.toUpperCase() }));
    const change = (keys: readonly string[]) => [{ file: keys.join(), base: null, edits: [] }];
    const studio = { busy: false, write } as unknown as StudioContextValue; // a partial fake: the form uses only these properties
    renderInStudio(studio, <ReorderForm orders={[{ name: 'Letras', items, change }]} onDone={vi.fn()} />);
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
