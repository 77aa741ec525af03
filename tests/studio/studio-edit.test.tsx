// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDefinitions } from '../../src/engine/compiler/open-definitions.ts';
import type { DefinitionsSource } from '../../src/engine/compiler/definitions.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import { ButtonEditForm, LeadEditForm } from '../../src/studio/editor/edits/edit-forms.tsx';
import { FieldEditForm } from '../../src/studio/editor/edits/field-edit-form.tsx';
import { casesGone, removalsOfFlow } from '../../src/studio/editor/edits/flow-removals.ts';
import { FormPanel } from '../../src/studio/editor/panels/form-panel.tsx';
import { StepForm } from '../../src/studio/editor/tasks/step-form.tsx';
import type { Studio } from '../../src/studio/editor/use-studio.ts';
import { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { readStudioCases, readStudioFacts, readStudioSet } from '../../src/studio/server/read-studio.ts';
import type { StudioFacts } from '../../src/studio/dev-data.ts';
import type { FileChange, StudioSet } from '../../src/studio/studio-data.ts';
import { root } from '../definitions/support/fixtures.ts';

let definitions: DefinitionsSource;
let set: StudioSet;
let facts: StudioFacts;
let writer: DefinitionWriter;

beforeAll(async () => {
  definitions = await openDefinitions(definitionOptions(root));
  set = { ...(await readStudioSet(root, definitions)), history: { undo: null, redo: null } };
  facts = await readStudioFacts(root);
  writer = new DefinitionWriter(definitionOptions(root), definitions.cache);
});
afterEach(cleanup);

/** A studio over the set that looks by the real compiler and only notes what it is to write. */
function studioOf() {
  const write = vi.fn<Studio['write']>(() => Promise.resolve(true));
  const look = vi.fn<Studio['look']>((changes) => writer.write({ changes, dryRun: true }));
  const stage = vi.fn<Studio['stage']>();
  const studio = { set, busy: false, pending: {}, look, write, stage } as unknown as Studio; // what the forms use of it
  return { studio, write };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
/** A look compiles the set, on a machine that is busy with other tests. */
const soon = { timeout: 20_000 };
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const pressSoon = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }, soon));

/** Looks, writes, and answers the edits by file. */
async function applied(
  write: ReturnType<typeof studioOf>['write'],
): Promise<Readonly<Record<string, FileChange['edits']>>> {
  press('Ver qué cambia');
  await pressSoon('Aplicar');
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  return Object.fromEntries((write.mock.calls[0]?.[0] ?? []).map(({ file, edits }) => [file, edits]));
}

test('[EST-15] a rule of a shared definition is changed here alone, with its message, texts, widget and links', async () => {
  const { studio, write } = studioOf();
  render(<FieldEditForm studio={studio} facts={facts} screen="contacto" field="telefono" onDone={vi.fn()} />);
  const limit = screen.getByLabelText<HTMLInputElement>('Como máximo estos caracteres (lo dice phone.json number)');
  expect([limit.value, limit.placeholder]).toEqual(['', '24']);
  type('Como máximo estos caracteres (lo dice phone.json number)', '23');
  type('Mensaje de «Como máximo estos caracteres», Español', 'Es muy largo.');
  type('Mensaje de «Como máximo estos caracteres», Portugués', 'É longo demais.');
  type('Nombre, Español', 'Celular');
  type('Nombre, Portugués', 'Telemóvel');
  type('Texto del campo vacío, Español', '');
  type('Control', 'tel');
  type('Enlaces, uno por línea: dirección = español = portugués', '/ayuda = Dudas = Dúvidas');
  expect(await applied(write)).toEqual({
    'schemas/contacto/schema.json': [{ pointer: '/properties/telefono/maxLength', value: 23 }],
    'schemas/contacto/ui.json': [
      { pointer: '/messages/telefono/maxLength', value: 'Es muy largo.' },
      { pointer: '/fields/telefono/ui:title', value: 'Celular' },
      { pointer: '/fields/telefono/ui:placeholder' },
      { pointer: '/fields/telefono/ui:widget', value: 'tel' },
      { pointer: '/fields/telefono/ui:links', value: [{ to: '/ayuda', text: 'Dudas' }] },
    ],
    'schemas/contacto/ui.pt.json': [
      { pointer: '/messages/telefono/maxLength', value: 'É longo demais.' },
      { pointer: '/fields/telefono/ui:title', value: 'Telemóvel' },
      { pointer: '/fields/telefono/ui:placeholder' },
      { pointer: '/fields/telefono/ui:links', value: { '/ayuda': 'Dúvidas' } },
    ],
  });
});

test('[EST-15] or everywhere: the screens and the cases that it breaks are shown first', async () => {
  const { studio, write } = studioOf();
  render(<FieldEditForm studio={studio} facts={facts} screen="contacto" field="telefono" onDone={vi.fn()} />);
  const where = screen.getByLabelText<HTMLSelectElement>('Dónde');
  expect([...where.options].map(({ text }) => text)).toEqual([
    'Solo aquí',
    expect.stringMatching(/^En todas: phone.json number, pantallas: \d+$/),
  ]);
  type('Dónde', '1');
  expect(screen.getByText(/^Cambia en: .*Contacto/)).toBeTruthy();
  const limit = screen.getByLabelText<HTMLInputElement>('Como máximo estos caracteres');
  expect(limit.value).toBe('24');
  type('Como máximo estos caracteres', '5');
  type('Ayuda, Portugués', 'Com o código do país.');
  press('Ver qué cambia');
  const told = await screen.findByRole('status', {}, soon);
  expect(told.textContent).toContain('Estos casos esperan otra cosa.');
  const broken = within(told)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '');
  for (const cases of ['contacto', 'agenda-soporte'])
    expect(
      broken.some((line) => line.startsWith(`tests/fixtures/${cases}.json valid:`)),
      cases,
    ).toBe(true);
  expect(write).not.toHaveBeenCalled();
  type('Como máximo estos caracteres', '23');
  expect(await applied(write), 'what was looked at was another').toEqual({
    'schemas/_shared/phone.json': [{ pointer: '/$defs/number/maxLength', value: 23 }],
    'schemas/_shared/phone.pt.json': [{ pointer: '/$defs/number/ui/ui:help', value: 'Com o código do país.' }],
  });
});

test('[EST-15] "Obligatorio" says which cases it breaks before it writes, and asks nothing where it breaks none', async () => {
  const { studio, write } = studioOf();
  const cases = await readStudioCases(root, definitions, 'contacto');
  render(<FormPanel studio={studio} facts={facts} screen="contacto" cases={cases} />);
  fireEvent.click(screen.getByLabelText('Obligatorio: asunto'));
  const form = await screen.findByRole('form', { name: 'Obligatorio: «Asunto»' }, soon);
  expect(within(form).getByRole('status').textContent).toContain(
    'empty: asunto: el caso espera «Este es un dato requerido» y las reglas dicen «nada».',
  );
  expect(write).not.toHaveBeenCalled();
  fireEvent.click(within(form).getByRole('button', { name: 'Aplicar' }));
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  expect(write.mock.calls[0]?.[0][0]?.edits).toEqual([{ pointer: '/required/6' }]);

  fireEvent.click(screen.getByLabelText('Obligatorio: logueado'));
  const held = await screen.findByRole('form', { name: 'Obligatorio: «logueado»' }, soon);
  expect(within(held).getByRole('status').textContent).toContain('logueado');
  vi.spyOn(studio, 'look').mockResolvedValue({ outcome: 'fine', files: [], partial: false, breaks: [] });
  fireEvent.click(screen.getByLabelText('Obligatorio: asunto'));
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(2));
});

test('[EST-15] a step goes with its screen, cases and walks: what led to it leads to the next one', async () => {
  const removal = removalsOfFlow(set, facts, 'elevacion').find(({ name }) => name.endsWith('(condiciones)'));
  if (!removal?.screen) throw new Error('the step has no screen of its own');
  const cases = await readStudioCases(root, definitions, removal.screen);
  const changes = [...removal.changes, ...casesGone(cases)];
  const [flow] = changes;
  expect(flow?.edits).toEqual([
    { pointer: '/states/exito/requires/else', value: 'datos' },
    { pointer: '/progress/0' },
    { pointer: '/initial', value: 'datos' },
    { pointer: '/states/condiciones' },
  ]);
  const gone = changes.filter((change) => change.gone).map(({ file }) => file);
  expect(gone).toEqual(
    expect.arrayContaining([
      'schemas/elevacion-condiciones/schema.json',
      'schemas/elevacion-condiciones/ui.json',
      'schemas/elevacion-condiciones/ui.pt.json',
      'tests/fixtures/elevacion-condiciones.json',
      'tests/fixtures/elevacion-condiciones/parts.txt',
    ]),
  );
  const walks = changes.find(({ file }) => file === 'tests/definitions/walks/elevacion.json');
  expect(walks?.edits?.length ?? walks?.gone).toBeTruthy();
});

test('[EST-15] what depends on a state keeps it, and says so; a branch goes alone', async () => {
  const removals = removalsOfFlow(set, facts, 'contrasena');
  const find = (part: string) => removals.find(({ name }) => name.includes(part));
  const state = find('(exito)');
  const held = await writer.write({ changes: state?.changes ?? [], dryRun: true });
  expect(held).toMatchObject({ outcome: 'problems' });
  expect(JSON.stringify(held)).toContain('exito');
  const branch = removalsOfFlow(set, facts, 'elevacion').find(({ name }) =>
    name.includes('confirmar, book, si falla, rama 2'),
  );
  expect(branch?.changes.map(({ file, edits }) => [file, edits])).toEqual([
    ['flows/elevacion.json', [{ pointer: '/states/confirmar/on/book/onError/1' }]],
  ]);
  expect(await writer.write({ changes: branch?.changes ?? [], dryRun: true })).toMatchObject({ outcome: 'fine' });
});

test('[EST-15] branches that name shared ones and transitions without a guard go alone; what depends on them is told', async () => {
  const gone = async (flow: string, name: string) => {
    const removals = removalsOfFlow(set, facts, flow);
    const found = removals.find((one) => one.name === `Rama «${name}»`);
    if (!found) throw new Error(`${name} is not among ${removals.map((one) => one.name).join(', ')}`);
    const answer = await writer.write({ changes: found.changes, dryRun: true });
    return [found.changes[0]?.edits, answer.outcome, 'problems' in answer ? answer.problems[0]?.message : ''];
  };
  const states = (pointer: string) => [{ pointer: `/states${pointer}` }];
  const shared = await gone('contrasena', 'nueva, submit, si falla, rama 1: ramas «vencido»');
  expect(shared).toEqual([states('/nueva/on/submit/onError/0'), 'fine', '']);
  const single = await gone('ingreso', 'elegir, own: va a «username»');
  expect(single).toEqual([states('/elegir/on/own'), 'fine', '']);
  const raised = await gone('error', 'otra-persona, login: ramas «otroIngreso»');
  expect(raised).toEqual([states('/otra-persona/on/login'), 'problems', expect.stringContaining('produce "login"')]);
  const needed = await gone('contacto', 'formulario, submit, si responde: ramas «recibido»');
  expect(needed.slice(1)).toEqual(['problems', 'La operación no dice qué sigue.']);
});

test('[EST-15] the branches that states share go too; a list goes with the only branch that it has', () => {
  const file = 'flows/viaje.json';
  const content = {
    onError: [{ branches: 'mal' }],
    branches: { mal: [{ guard: 'a', target: 'uno' }, { branches: 'fin' }], fin: { leave: '/' } },
    operations: { call: { input: 'progress', onDone: 'dos' } },
    states: { uno: { always: { guard: 'a', target: 'dos' }, on: { submit: { src: 'call', onDone: 'dos' } } }, dos: {} },
  };
  const viaje: StudioSet = {
    ...set,
    guards: {},
    files: { [file]: { file, version: '1', text: JSON.stringify(content) } },
  };
  const removals = removalsOfFlow(viaje, facts, 'viaje').filter(({ name }) => name.startsWith('Rama'));
  expect(removals.map(({ name, changes }) => [name, changes[0]?.edits?.[0]?.pointer])).toEqual([
    ['Rama «uno, submit, si responde: va a «dos»»', '/states/uno/on/submit/onDone'],
    ['Rama «uno, siempre: va a «dos»»', '/states/uno/always'],
    ['Rama «si falla, rama 1: ramas «mal»»', '/onError'],
    ['Rama «ramas «mal», rama 1: va a «uno»»', '/branches/mal/0'],
    ['Rama «ramas «mal», rama 2: ramas «fin»»', '/branches/mal/1'],
    ['Rama «ramas «fin»: sale del recorrido»', '/branches/fin'],
    ['Rama «operación «call», si responde: va a «dos»»', '/operations/call/onDone'],
  ]);
});

test('[EST-15] a branch leads elsewhere with another notice; all else that it does stays', async () => {
  const { studio, write } = studioOf();
  render(<LeadEditForm studio={studio} flow="elevacion" onDone={vi.fn()} />);
  const places = [...screen.getByLabelText<HTMLSelectElement>('Dónde').options].map(({ text }) => text);
  type('Dónde', String(places.indexOf('confirmar, book, si falla, rama 1')));
  expect(screen.getByLabelText<HTMLSelectElement>('Lleva a').value).toBe('fecha');
  type('Lleva a', 'datos');
  type('Aviso que muestra', 'serie');
  expect(await applied(write)).toEqual({
    'flows/elevacion.json': [
      { pointer: '/states/confirmar/on/book/onError/0/target', value: 'datos' },
      { pointer: '/states/confirmar/on/book/onError/0/notice', value: 'serie' },
    ],
  });
});

test('[EST-15] a button says something else in both languages; a link leads elsewhere, in its translation too', async () => {
  const { studio, write } = studioOf();
  render(<ButtonEditForm studio={studio} screen="contacto" onDone={vi.fn()} />);
  type('Texto, Español', 'Enviar');
  type('Texto, Portugués', 'Enviar');
  expect(await applied(write)).toEqual({
    'schemas/contacto/ui.json': [{ pointer: '/actions/0/text', value: 'Enviar' }],
    'schemas/contacto/ui.pt.json': [{ pointer: '/actions/submit', value: 'Enviar' }],
  });
  cleanup();
  const other = studioOf();
  render(<ButtonEditForm studio={other.studio} screen="contacto" onDone={vi.fn()} />);
  const places = [...screen.getByLabelText<HTMLSelectElement>('Qué').options].map(({ text }) => text);
  type('Qué', String(places.findIndex((place) => place.includes('/ayuda'))));
  type('Dirección del enlace', '/feedback');
  expect(await applied(other.write)).toEqual({
    'schemas/contacto/ui.json': [{ pointer: '/links/0/to', value: '/feedback' }],
    'schemas/contacto/ui.pt.json': [
      { pointer: '/links/~1ayuda' },
      { pointer: '/links/~1feedback', value: 'Perguntas frequentes' },
    ],
  });
});

test('[EST-10] a new step asks which end of the last one it stands before, where that one has several', async () => {
  const { studio, write } = studioOf();
  render(<StepForm studio={studio} flow="segundo-factor" onDone={vi.fn()} />);
  type('Después de', 'totp-activar');
  expect(screen.queryByLabelText('Antes de cuál final')).toBeNull();
  type('Después de', 'login-email-codigo');
  const ends = screen.getByLabelText<HTMLSelectElement>('Antes de cuál final');
  expect([...ends.options].map(({ text }) => text)).toEqual([
    expect.stringMatching(/login-email-codigo, submit, si responde, rama 1: login-email-cambiado$/),
    expect.stringMatching(/login-email-codigo, submit, si responde, rama 2: login-email-exito$/),
  ]);
  type('Antes de cuál final', ends.options[1]?.value ?? '');
  type('Nombre del estado', 'medio');
  type('Título en español', 'Medio');
  type('Título en portugués', 'Meio');
  press('Agregar');
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  expect(write.mock.calls[0]?.[0][0]?.edits?.[0]).toEqual({
    pointer: `${ends.options[1]?.value}/target`,
    value: 'medio',
  });
});
