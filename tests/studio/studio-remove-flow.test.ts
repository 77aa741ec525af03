import { beforeAll, expect, test } from 'vitest';
import { buildCaseFileRemovals } from '../../src/studio/editor/edits/screen-removals.ts';
import { listFlowRemovals } from '../../src/studio/editor/edits/flow-removals.ts';
import { readStudioCases } from '../../src/studio/server/read-studio-definitions.ts';
import type { StudioDefinitions } from '../../src/studio/studio-api-types.ts';
import { root } from '../definitions/support/fixtures.ts';
import { openStudio } from './support/open-studio.ts';

let own: Awaited<ReturnType<typeof openStudio>>;
beforeAll(async () => {
  own = await openStudio();
});

test('[EST-15] removing a step removes its screen, cases and scenarios, and redirects to the next step', async () => {
  const removal = listFlowRemovals(own.set, own.referenceData, 'elevacion').find(
    ({ name }) => name === 'Estado «Subí tu nivel por videollamada»',
  );
  if (!removal?.screen) throw new Error('the step has no screen of its own');
  const cases = await readStudioCases(root, own.definitions, removal.screen);
  const changes = [...removal.changes, ...buildCaseFileRemovals(cases)];
  const [flow] = changes;
  expect(flow?.edits).toEqual([
    { pointer: '/states/exito/requires/else', value: 'datos' },
    { pointer: '/progress/0' },
    { pointer: '/initial', value: 'datos' },
    { pointer: '/states/condiciones' },
  ]);
  const gone = changes.filter((change) => change.deleted).map(({ file }) => file);
  expect(gone).toEqual(
    expect.arrayContaining([
      'schemas/elevacion-condiciones/schema.json',
      'schemas/elevacion-condiciones/ui.json',
      'schemas/elevacion-condiciones/ui.pt.json',
      'tests/fixtures/elevacion-condiciones.json',
      'tests/fixtures/elevacion-condiciones.txt',
    ]),
  );
  const walks = changes.find(({ file }) => file === 'tests/definitions/walks/elevacion.json');
  expect(walks?.edits?.length ?? walks?.deleted).toBeTruthy();
});

test('[EST-15] removing a state that others need is rejected, and removing a branch changes nothing else', async () => {
  const removals = listFlowRemovals(own.set, own.referenceData, 'contrasena');
  const find = (part: string) => removals.find(({ name }) => name.includes(part));
  const state = find('Estado «Tu contraseña se modificó»');
  const held = await own.writer.writeChanges({ changes: state?.changes ?? [], dryRun: true });
  expect(held).toMatchObject({ outcome: 'problems' });
  expect(JSON.stringify(held)).toContain('exito');
  const branch = listFlowRemovals(own.set, own.referenceData, 'elevacion').find(({ name }) =>
    name.includes('Confirmá tu videollamada, Reservar videollamada, si falla, rama 2'),
  );
  expect(branch?.changes.map(({ file, edits }) => [file, edits])).toEqual([
    ['flows/elevacion.json', [{ pointer: '/states/confirmar/on/book/onError/1' }]],
  ]);
  expect(await own.writer.writeChanges({ changes: branch?.changes ?? [], dryRun: true })).toMatchObject({
    outcome: 'fine',
  });
});

test('[EST-15] removing a shared branch or an unguarded transition is one edit, and is rejected if something needs it', async () => {
  const gone = async (flow: string, name: string) => {
    const removals = listFlowRemovals(own.set, own.referenceData, flow);
    const found = removals.find((one) => one.name === `Rama «${name}»`);
    if (!found) throw new Error(`${name} is not among ${removals.map((one) => one.name).join(', ')}`);
    const answer = await own.writer.writeChanges({ changes: found.changes, dryRun: true });
    return [found.changes[0]?.edits, answer.outcome, 'problems' in answer ? answer.problems[0]?.message : ''];
  };
  const states = (pointer: string) => [{ pointer: `/states${pointer}` }];
  const shared = await gone(
    'contrasena',
    'Elegí una nueva contraseña, Cambiar contraseña, si falla, rama 1: ramas «vencido»',
  );
  expect(shared).toEqual([states('/nueva/on/submit/onError/0'), 'fine', '']);
  const single = await gone('ingreso', '¿Cómo querés identificarte?, own: va a «Iniciá sesión»');
  expect(single).toEqual([states('/elegir/on/own'), 'fine', '']);
  const raised = await gone(
    'error',
    'Esa identidad es de otra persona, Iniciar sesión con otro método: ramas «otroIngreso»',
  );
  expect(raised).toEqual([states('/otra-persona/on/login'), 'problems', expect.stringContaining('produce "login"')]);
  const needed = await gone('contacto', 'Contacto (formulario), Continuar, si responde: ramas «recibido»');
  expect(needed.slice(1)).toEqual(['problems', 'La operación no tiene "onDone".']);
});

test('[EST-15] removing a transition removes its operation and branches, and is rejected while a button raises its event', async () => {
  const removals = listFlowRemovals(own.set, own.referenceData, 'registro');
  expect(
    removals.some(({ name }) => name.includes('progress')),
    'the guard of a step is not listed as a branch',
  ).toBe(false);
  const found = removals.find(
    ({ name }) =>
      name === 'Rama «Tu contraseña (completar), Continuar: llama a «completeRegistration», con todo lo que sigue»',
  );
  expect(found?.changes[0]?.edits).toEqual([{ pointer: '/states/completar/on/submit' }]);
  const held = await own.writer.writeChanges({ changes: found?.changes ?? [], dryRun: true });
  expect(held.outcome).toBe('problems');
  expect(JSON.stringify(held)).toContain('produce \\"submit\\"');
});

test('[EST-15] listFlowRemovals lists shared branches, and removes a list together with its only branch', () => {
  const file = 'flows/viaje.json';
  const content = {
    onError: [{ branches: 'mal' }],
    branches: { mal: [{ guard: 'a', target: 'uno' }, { branches: 'fin' }], fin: { leave: '/' } },
    operations: { call: { input: 'progress', onDone: 'dos' } },
    states: {
      uno: { always: { guard: 'a', target: 'dos' }, on: { submit: { src: 'call', onDone: 'dos' } } },
      dos: { on: { submit: [{ guard: 'a', target: 'uno' }, 'dos'] } },
    },
  };
  const viaje: StudioDefinitions = {
    ...own.set,
    guards: {},
    files: { [file]: { file, version: '1', text: JSON.stringify(content) } },
  };
  const removals = listFlowRemovals(viaje, own.referenceData, 'viaje').filter(({ name }) => name.startsWith('Rama'));
  expect(removals.map(({ name, changes }) => [name, changes[0]?.edits?.[0]?.pointer])).toEqual([
    ['Rama «uno, submit: llama a «call», con todo lo que sigue»', '/states/uno/on/submit'],
    ['Rama «dos, submit: todas sus ramas»', '/states/dos/on/submit'],
    ['Rama «uno, submit, si responde: va a «dos»»', '/states/uno/on/submit/onDone'],
    ['Rama «uno, siempre: va a «dos»»', '/states/uno/always'],
    ['Rama «dos, submit, rama 1: va a «uno»»', '/states/dos/on/submit/0'],
    ['Rama «dos, submit, rama 2: va a «dos»»', '/states/dos/on/submit/1'],
    ['Rama «si falla, rama 1: ramas «mal»»', '/onError'],
    ['Rama «ramas «mal», rama 1: va a «uno»»', '/branches/mal/0'],
    ['Rama «ramas «mal», rama 2: ramas «fin»»', '/branches/mal/1'],
    ['Rama «ramas «fin»: sale a /»', '/branches/fin'],
    ['Rama «operación «call», si responde: va a «dos»»', '/operations/call/onDone'],
  ]);
});
