// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  NewStepForm,
  createNewStepChanges,
  listFinalTransitions,
} from '../../src/studio/editor/tasks/new-step-form.tsx';
import { createNewFlowChanges, NewFlowForm } from '../../src/studio/editor/tasks/new-flow-form.tsx';
import { deriveStatePath } from '../../src/studio/editor/tasks/flow-states.ts';
import type { FileChange, StudioDefinitions } from '../../src/studio/studio-api-types.ts';
import { openStudio, press, createRecordingStudio, type, renderInStudio } from './support/open-studio.ts';

let own: Awaited<ReturnType<typeof openStudio>>;
beforeAll(async () => {
  own = await openStudio();
});
afterEach(cleanup);

test('[EST-10] a flow is created by a form: its title gives its name, its address and its screen, and the set compiles', async () => {
  const { studio, write } = createRecordingStudio(own);
  const onDone = vi.fn();
  renderInStudio(studio, <NewFlowForm onDone={onDone} />);
  type('Título en español', 'Contacto');
  expect(screen.getByLabelText<HTMLInputElement>('Nombre del archivo').value, 'suffix for a name that is taken').toBe(
    'contacto-2',
  );
  type('Título en español', 'Cambio de domicilio');
  type('Título en portugués', 'Mudança de domicílio');
  type('Área', 'Ayuda y contacto');
  const path = screen.getByLabelText<HTMLInputElement>('Dirección');
  expect(path.value).toBe('/cambio-de-domicilio');
  press('Agregar');
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith('cambio-de-domicilio'));
  const files = await compileChanges(write.mock.calls[0]?.[0] ?? []);
  expect(Object.keys(files)).toEqual([
    'flows/cambio-de-domicilio.json',
    'schemas/cambio-de-domicilio/ui.json',
    'schemas/cambio-de-domicilio/ui.pt.json',
    'tests/fixtures/cambio-de-domicilio.json',
  ]);
  const read = (file: string): unknown => JSON.parse(files[file] ?? '');
  expect(read('flows/cambio-de-domicilio.json')).toEqual({
    $schema: '../schemas/_formats/flow.4.schema.json',
    area: 'Ayuda y contacto',
    initial: 'inicio',
    states: {
      inicio: { path: '/cambio-de-domicilio', screen: 'cambio-de-domicilio', on: { submit: { leave: '/' } } },
    },
  });
  expect(read('schemas/cambio-de-domicilio/ui.json')).toMatchObject({
    title: 'Cambio de domicilio',
    actions: [{ event: 'submit', text: 'Continuar', primary: true }],
  });
  expect(read('schemas/cambio-de-domicilio/ui.pt.json')).toMatchObject({
    title: 'Mudança de domicílio',
    actions: { submit: 'Continuar' },
  });
  expect(read('tests/fixtures/cambio-de-domicilio.json')).toEqual({
    cases: { valid: { note: 'Cambio de domicilio' } },
  });
});

const both = (es: string, pt: string) => ({ es, pt });

/** Compiles the changes without writing them. Returns the resulting texts. */
async function compileChanges(changes: readonly FileChange[]): Promise<Readonly<Record<string, string>>> {
  const answer = await own.writer.writeChanges({ changes, dryRun: true });
  if (answer.outcome !== 'fine') throw new Error(JSON.stringify(answer));
  return Object.fromEntries(answer.files.map(({ file, text }) => [file, text]));
}

test('[EST-10] a step can be added to a new flow, whose first screen has no fields', async () => {
  const title = both('Mudanza', 'Mudança');
  const flowChanges = createNewFlowChanges({ name: 'mudanza', path: '/mudanza', area: '', title });
  const files = Object.entries(await compileChanges(flowChanges)).map(
    ([file, text]) => [file, { file, version: '1', text }] as const,
  );
  const studio = createRecordingStudio({ ...own, set: { ...own.set, files: Object.fromEntries(files) } });
  renderInStudio(studio.studio, <NewStepForm flow="mudanza" onDone={vi.fn()} />);
  type('Título en español', 'Casa nueva');
  type('Título en portugués', 'Casa nova');
  expect(screen.getByLabelText<HTMLInputElement>('Dirección (vacía: ninguna)').value).toBe('');
  press('Agregar');
  await vi.waitFor(() => expect(studio.write).toHaveBeenCalledTimes(1));
  const [flow, ...screens] = studio.write.mock.calls[0]?.[0] ?? [];
  const [created, ...others] = flowChanges;
  const texts = await compileChanges([
    { file: 'flows/mudanza.json', base: null, edits: [...(created?.edits ?? []), ...(flow?.edits ?? [])] },
    ...others,
    ...screens,
  ]);
  expect(JSON.parse(texts['flows/mudanza.json'] ?? '')).toMatchObject({ progress: ['inicio', 'casa-nueva'] });
});

test('[EST-10] addStep moves the final call of the last step to the new one, and copies permissions of the previous one', async () => {
  const added = {
    name: 'fin',
    screen: 'registro-fin',
    path: '',
    title: both('Fin', 'Fim'),
    intro: both('', ''),
    after: 'contrasena',
    end: '',
  };
  const [flow] = createNewStepChanges(own.set, 'registro', added);
  expect(flow?.edits).toContainEqual(
    expect.objectContaining({
      pointer: '/states/fin',
      before: 'completar',
      value: {
        screen: 'registro-fin',
        on: { submit: expect.objectContaining({ src: 'registerCitizen' }) as object },
      },
    }),
  );
  expect(flow?.edits).toContainEqual({
    pointer: '/progress/-',
    value: { state: 'fin', guard: 'anonimo' },
    before: '4',
  });
  const open = { ...added, after: 'condiciones', path: '/videollamada/fin' };
  expect(createNewStepChanges(own.set, 'elevacion', open)[0]?.edits).toContainEqual(
    expect.objectContaining({
      value: expect.objectContaining({
        permissions: [
          ['videollamada', 'crear'],
          ['tramitar_videollamada', 'crear'],
        ],
      }) as object,
    }),
  );
});

test('[EST-10] addStep finds the branch to redirect among shared branches, and keeps the events of a parent state', () => {
  const file = 'flows/viaje.json';
  const flow = (states: object): StudioDefinitions => ({
    ...own.set,
    files: { [file]: { file, version: '1', text: JSON.stringify({ progress: ['uno', 'dos'], states }) } },
  });
  const added = {
    name: 'medio',
    screen: 'm',
    path: '',
    title: both('M', 'M'),
    intro: both('', ''),
    after: 'uno',
    end: '',
  };
  const edits = (states: object, after: string) =>
    createNewStepChanges(flow(states), 'viaje', { ...added, after })[0]?.edits;
  const shared = { branches: 'dos' };
  const onDone = { assign: 'x', branches: [{ guard: 'a', target: 'tres' }, shared, { target: 'dos' }] };
  expect(edits({ uno: { on: { submit: { src: 'call', onDone } } }, dos: {} }, 'uno')?.slice(0, 2)).toEqual([
    { pointer: '/states/uno/on/submit/onDone/branches/2/target', value: 'medio' },
    { pointer: '/states/medio', value: { screen: 'm', on: { submit: 'dos' } }, before: 'dos' },
  ]);
  const within = { way: { on: { submit: { leave: 'context.next' } }, states: { uno: {}, dos: {} } } };
  expect(edits(within, 'dos')?.slice(0, 2)).toEqual([
    { pointer: '/states/way/states/dos/on/submit', value: 'medio' },
    { pointer: '/states/way/states/medio', value: { screen: 'm' } },
  ]);
});

test('[EST-10] addStep inserts a step before the chosen end of a last step with several ends', async () => {
  const added = {
    after: 'login-email-codigo',
    name: 'medio',
    screen: 'factor-medio',
    path: '',
    title: both('Medio', 'Meio'),
    intro: both('', ''),
  };
  const ends = listFinalTransitions(own.set, 'segundo-factor', added.after);
  expect(ends.map(({ target }) => target)).toEqual(['login-email-cambiado', 'login-email-exito']);
  const end = ends[1]?.pointer ?? '';
  const changes = createNewStepChanges(own.set, 'segundo-factor', { ...added, end });
  const state = end.slice(0, end.indexOf('/on/'));
  expect(changes[0]?.edits?.slice(0, 2)).toEqual([
    { pointer: `${end}/target`, value: 'medio' },
    expect.objectContaining({
      pointer: state.replace(/[^/]+$/, 'medio'),
      value: { screen: 'factor-medio', on: { submit: 'login-email-exito' } },
    }),
  ]);
  const texts = await compileChanges(changes);
  expect(texts['flows/segundo-factor.json']).toContain('"login-email-cambiado"');
  expect(listFinalTransitions(own.set, 'segundo-factor', 'totp-activar'), 'a single end is not listed').toEqual([]);
});

test('[EST-10] addStep moves notice and `leave` of an end to the new step, and offers neither back nor errors as ends', () => {
  const file = 'flows/viaje.json';
  const submit = { src: 'call', onDone: { notice: 'listo', leave: '/fin' }, onError: { target: 'mal' } };
  const states = { uno: {}, dos: { on: { submit, saltar: 'otro', back: { leave: '/' }, volver: 'uno' } } };
  const text = JSON.stringify({ progress: ['uno', 'dos'], states });
  const flow: StudioDefinitions = { ...own.set, files: { [file]: { file, version: '1', text } } };
  const added = { name: 'medio', screen: 'm', path: '', title: both('M', 'M'), intro: both('', ''), after: 'dos' };
  const at = '/states/dos/on';
  const edits = (end: string) => createNewStepChanges(flow, 'viaje', { ...added, end })[0]?.edits;
  expect(listFinalTransitions(flow, 'viaje', 'dos').map(({ pointer }) => pointer)).toEqual([
    `${at}/submit/onDone`,
    `${at}/saltar`,
  ]);
  expect(edits(`${at}/submit/onDone`)).toEqual([
    { pointer: `${at}/submit/onDone/target`, value: 'medio' },
    { pointer: `${at}/submit/onDone/leave` },
    { pointer: `${at}/submit/onDone/notice` },
    { pointer: '/states/medio', value: { screen: 'm', on: { submit: { notice: 'listo', leave: '/fin' } } } },
    { pointer: '/progress/-', value: 'medio', before: '2' },
  ]);
  expect(edits(`${at}/saltar`)?.slice(0, 2)).toEqual([
    { pointer: `${at}/saltar`, value: 'medio' },
    { pointer: '/states/medio', value: { screen: 'm', on: { submit: 'otro' } } },
  ]);
});

test('[EST-10] NewStepForm asks before which end the step is added if the previous step has several', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <NewStepForm flow="segundo-factor" onDone={vi.fn()} />);
  expect(screen.getByRole('option', { name: /^.+ \(totp-activar\)$/ })).toBeTruthy();
  type('Después de', 'totp-activar');
  expect(screen.queryByLabelText('Antes de cuál final')).toBeNull();
  type('Después de', 'login-email-codigo');
  const ends = screen.getByLabelText<HTMLSelectElement>('Antes de cuál final');
  expect([...ends.options].map(({ text }) => text)).toEqual([
    expect.stringMatching(/\(login-email-codigo\), Comprobar, si responde, rama 1: Cambiaste tu correo electrónico$/),
    expect.stringMatching(/\(login-email-codigo\), Comprobar, si responde, rama 2: .+ \(login-email-exito\)$/),
  ]);
  type('Antes de cuál final', ends.options[1]?.value ?? '');
  type('Título en español', 'Medio');
  expect(screen.getByLabelText<HTMLInputElement>('Nombre del estado').value).toBe('medio');
  expect(screen.getByLabelText<HTMLInputElement>('Carpeta de la pantalla').value).toBe('segundo-factor-medio');
  const address = screen.getByLabelText<HTMLInputElement>('Dirección (vacía: ninguna)');
  expect(address.value).toBe('/seguridad/autenticacion-en-dos-pasos/medio');
  type('Dirección (vacía: ninguna)', '');
  expect(address.value, 'the path may be empty').toBe('');
  type('Título en portugués', 'Meio');
  press('Agregar');
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  expect(write.mock.calls[0]?.[0][0]?.edits?.[0]).toEqual({
    pointer: `${ends.options[1]?.value}/target`,
    value: 'medio',
  });
});

test('[EST-10] addStep stores the result that an end reads until the new step is submitted', async () => {
  const added = {
    after: 'completar',
    name: 'medio',
    screen: 'registro-medio',
    path: '/registro/medio',
    title: both('Medio', 'Meio'),
    intro: both('', ''),
  };
  const at = '/states/completar/on/submit/onDone';
  const edits = (end: string) => createNewStepChanges(own.set, 'registro', { ...added, end })[0]?.edits;
  expect(edits(`${at}/0`)).toEqual([
    { pointer: `${at}/0/target`, value: 'medio' },
    { pointer: `${at}/0/leave` },
    { pointer: `${at}/0/assign`, value: { next2: 'result.next' } },
    expect.objectContaining({
      pointer: '/states/medio',
      value: {
        path: '/registro/medio',
        screen: 'registro-medio',
        access: 'citizen',
        requires: { guard: 'context.next2', else: 'completar' },
        on: { submit: { leave: 'context.next2' } },
      },
    }),
    { pointer: '/progress/-', value: { state: 'medio', guard: 'authenticated' }, before: '5' },
  ]);
  await compileChanges(createNewStepChanges(own.set, 'registro', { ...added, end: `${at}/0` }));
  expect(listFinalTransitions(own.set, 'registro', 'completar').map(({ leaves }) => leaves)).toEqual([
    'sale a «next» de la respuesta',
    'sale a la variable next',
    'sale a /seguridad',
  ]);
  // The last step clears a variable that it uses, so the new step stores a copy.
  expect(edits(`${at}/1`)?.slice(2, 4)).toEqual([
    { pointer: `${at}/1/assign`, value: [{ next: null }, { next2: 'context.next' }] },
    expect.objectContaining({
      value: expect.objectContaining({ on: { submit: { leave: 'context.next2' } } }) as object,
    }),
  ]);
  // A last step that reads no values needs no copies.
  expect(JSON.stringify(edits(`${at}/2`))).not.toMatch(/assign|requires/);
});

test.each([
  ['elevacion', 'datos', 'Preparate para la llamada', '/videollamada/preparate-para-la-llamada'],
  ['elevacion', 'datos', 'Éxito', '/videollamada/exito-2'],
  ['contacto', 'formulario', 'Datos', '/contacto/datos'],
  ['contacto', 'formulario', '', ''],
])('[EST-10] deriveStatePath in %s after %s for the title %j returns %s', (flow, after, title, address) => {
  expect(deriveStatePath(own.set, flow, { after, title })).toBe(address);
});
