// @vitest-environment happy-dom
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScenarios } from '../../src/cli/definitions/cases/read-scenarios.ts';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import { describeScenarioMismatch } from '../../src/studio/scenario/describe-scenario-mismatch.ts';
import { findBrokenScenarios, runScenarioReplay } from '../../src/studio/scenario/replay.ts';
import {
  buildScenarioPath,
  scenarioFolder,
  type Scenario,
  type ExpectedStepResult,
  type ScenarioStep,
} from '../../src/studio/scenario/scenario.ts';
import { root } from './support/fixtures.ts';
import { createReplayOptions } from './support/replay-scenario.ts';
import { productDefinitions } from './support/product-definitions.ts';

const definitions = await productDefinitions;
const { list, problems } = await readScenarios(root, definitions);
const { screens } = definitions.manifest('es');
const parts = createReplayOptions(
  (id) => definitions.modules.find(({ url }) => url === screens[id]?.url)?.source ?? '',
);

test('[EST-07] scenario files are valid, and every file is read', () => {
  expect(problems).toEqual([]);
  expect(list.map(({ flow }) => `${flow}.json`)).toEqual(readdirSync(join(root, scenarioFolder)).sort());
});

describe('[EST-07] replay of a scenario', () => {
  const flow = definitions.flows['contrasena'] as Flow; // the cast is safe, because the product has this flow
  const [kept] = list.find((own) => own.flow === 'contrasena')?.walks ?? [];
  const [first] = kept?.steps ?? [];
  const faultOf = async (change: Partial<Scenario>) => {
    const { fault, pending, runner } = await runScenarioReplay(flow, { name: '', ...kept, ...change }, parts);
    runner.depart();
    return { fault, pending: pending?.operation ?? null };
  };
  const step = (change: Partial<ScenarioStep>) => ({ steps: [{ raise: 'submit', ...first, ...change }] });
  const then = (change: Partial<ExpectedStepResult>) => step({ then: { state: '', ...first?.then, ...change } });

  test.each([
    [
      'another state',
      then({ state: 'pedir' }),
      { kind: 'differs', step: 1, what: 'state', expected: 'pedir', actual: 'enviado' },
    ],
    ['another variable', then({ set: { email: 'otro' } }), { kind: 'differs', step: 1, what: 'set' }],
    ['another notice', then({ notice: 'otro' }), { kind: 'differs', step: 1, what: 'notice', actual: '' }],
    ['another exit', then({ left: '/login' }), { kind: 'differs', step: 1, what: 'left', actual: '' }],
    [
      'an invalid form',
      step({ fill: { doc: '12345671' } }),
      { kind: 'unmade', step: 1, operation: 'requestPasswordReset' },
    ],
    ['an unknown field', step({ fill: { nada: 1 } }), { kind: 'field', step: 1, name: 'nada' }],
    ['an unknown event', step({ raise: 'nada' }), { kind: 'event', step: 1, name: 'nada' }],
    ['another initial state', { then: { state: 'enviado' } }, { kind: 'differs', step: 0, what: 'state' }],
    [
      'a response of another operation',
      step({ operations: [{ operation: 'login' }] }),
      { kind: 'unmade', step: 1, operation: 'login' },
    ],
  ])('reports the first difference: %s', async (_, change, fault) => {
    expect((await faultOf(change)).fault).toMatchObject(fault);
  });

  test('stops at an operation without a response, and reports it only if something is expected after it', async () => {
    expect(await faultOf(step({ operations: [] }))).toEqual({
      fault: { kind: 'unanswered', step: 1, operation: 'requestPasswordReset' },
      pending: 'requestPasswordReset',
    });
    const open = await faultOf({ steps: [{ raise: 'submit', fill: first?.fill }] });
    expect(open).toEqual({ fault: null, pending: 'requestPasswordReset' });
  });
});

test('[EST-07] replay returns the branches, the operations and the variables of each step', async () => {
  const { steps, runner } = await runScenarioReplay(
    definitions.flows['agenda-soporte'] as Flow, // the cast is safe, because the product has this flow
    list
      .find(({ flow }) => flow === 'agenda-soporte')
      ?.walks.find(({ name }) => name.startsWith('el correo')) as Scenario,
    parts,
  );
  runner.depart();
  expect(steps.map(({ branches }) => branches.map(({ id }) => id))).toEqual([
    [],
    ['contacto submit 2'],
    ['fecha submit 1'],
    ['confirmar submit onError 4'],
  ]);
  const { operations = [], before, after, place } = steps.at(-1) ?? {};
  expect(operations).toMatchObject([{ operation: 'bookSupportCall', body: { fecha: '2026-12-01', asunto: 'firma' } }]);
  expect([before?.['cuando'], after?.['cuando'], place?.set]).toEqual([
    'martes 1 de diciembre, 10:30',
    'martes 1 de diciembre, 10:30',
    {},
  ]);
});

test('[EST-07] findBrokenScenarios names the scenarios that differ or lack a response, but not those to record', async () => {
  const flow = definitions.flows['contrasena'] as Flow;
  const [kept] = list.find((own) => own.flow === 'contrasena')?.walks ?? [];
  const walks: readonly Scenario[] = [
    { ...kept, name: 'fine' },
    { ...kept, name: 'differs', then: { state: 'enviado' } },
    { name: 'pending', steps: (kept?.steps ?? []).map(({ fill = {}, raise }) => ({ fill, raise })) },
    { name: 'to record', todo: 'x', then: { state: 'enviado' } },
  ];
  expect(await findBrokenScenarios(flow, walks, parts)).toEqual(['differs', 'pending']);
});

test('[EST-07] readScenarios reports unknown names with their line and the most similar name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'walks-'));
  await mkdir(join(folder, scenarioFolder), { recursive: true });
  const written = {
    'contrasena.json': `{
  "walks": [
    { "name": "a", "at": "pedirr", "operations": [{ "operation": "requestPasswordRest" }] },
    { "name": "a", "steps": [{ "raise": "sumbit", "fill": { "dok": "1" }, "operations": [{ "operation": "checkPasswordReset", "error": { "code": "vinculo_invalid" } }] }] }
  ]
}`,
    'contrasenia.json': '{ "walks": [] }',
    'registro.json': '{ "walks": [{ "name": "a", "then": { "estado": "x" } }] }',
    'ingreso.json': '{ "walks": [',
  };
  for (const [name, text] of Object.entries(written)) await writeFile(join(folder, scenarioFolder, name), text);
  const { problems: found, list: read } = await readScenarios(folder, definitions);
  await rm(folder, { recursive: true });
  expect(read.map(({ flow }) => flow)).toEqual(['contrasena', 'contrasenia']);
  expect(
    found.map(({ file, line, message, hint }) => `${file.split('/').at(-1)}:${line} ${message} ${hint.split('? ')[0]}`),
  ).toEqual([
    'contrasena.json:3 There is no state "pedirr". Did you mean "pedir"',
    'contrasena.json:3 There is no operation "requestPasswordRest". Did you mean "requestPasswordReset"',
    'contrasena.json:4 Two walks have the name "a". Rename one of them.',
    'contrasena.json:4 No state of the flow has the event "sumbit". Did you mean "submit"',
    'contrasena.json:4 No screen of the flow has the field "dok". Did you mean "doc"',
    'contrasena.json:4 There is no error of checkPasswordReset "vinculo_invalid". Did you mean "vinculo_invalido"',
    expect.stringMatching(/^contrasenia\.json:1 There is no flow "contrasenia"\. Did you mean "contrasena"/),
    expect.stringMatching(/^ingreso\.json:1 This is not valid JSON/),
    expect.stringMatching(/^registro\.json:1 Unknown key "estado"/),
  ]);
});

test('[EST-07] describeScenarioMismatch names the arrival and the number of a later step', () => {
  const describeAt = (step: number) => describeScenarioMismatch({ kind: 'unmade', step, operation: 'getCaptcha' });
  expect(describeAt(0)).toBe('Llegada: no se llamó a getCaptcha.');
  expect(describeAt(2)).toBe('Paso 2: no se llamó a getCaptcha.');
});

describe.each(list)('[EST-07] scenarios of the flow $flow', ({ flow, walks }) => {
  const definition = definitions.flows[flow] as Flow; // the cast is safe, because the previous test asserts that the flow exists
  for (const walk of walks)
    if (walk.todo !== undefined) test.todo(`${walk.name}: ${walk.todo}`);
    else
      test(walk.name, async () => {
        const { fault, pending, steps, runner } = await runScenarioReplay(definition, walk, parts);
        runner.depart();
        const place = `${buildScenarioPath(flow)}, recorrido "${walk.name}"`;
        const says = fault ? `: ${describeScenarioMismatch(fault)}` : '';
        const way =
          'Si el flujo está bien, tocá "Esperar lo que pasa ahora" en el estudio. Si no, corregí el flujo o el recorrido.';
        expect({ fault, pending }, `${place}${says} ${way}`).toEqual({ fault: null, pending: null });
        expect(steps).toHaveLength(1 + (walk.steps?.length ?? 0));
      });
});
