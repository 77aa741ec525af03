import { expect, test } from 'vitest';
import { belongsToSeparatePortal } from '../../src/engine/core/definitions-manifest.ts';
import { filterManifestByFlows } from '../../src/engine/core/definitions-manifest.ts';
import { sampleProject, loadProject } from './support/project.ts';

const flow = (more: object = {}, day: object = {}) => ({
  'flows/desk.json': {
    id: 'desk',
    initial: 'day',
    access: 'agent',
    states: { day: { path: '/desk', block: 'board', screen: 'day', ...day }, ...more },
  },
  'schemas/day/ui.json': { title: 'Día' },
});
const separatePortal = { access: 'agent', blocks: ['board'] } as const;
const messages = async (files: object, options: object = { separatePortal }) =>
  (await loadProject({ ...sampleProject, ...files }, options)).problems.map(({ message }) => message);

test('[DESK-01] flow for agents may use desk blocks and screens in one language, and has its own manifest', async () => {
  const { definitions, problems } = await loadProject({ ...sampleProject, ...flow() }, { separatePortal });
  expect(problems).toEqual([]);
  const desk = Object.values(definitions?.flows ?? {}).filter((one) => belongsToSeparatePortal(one, 'agent'));
  expect(desk.map(({ id }) => id)).toEqual(['desk']);
  const whole = definitions?.manifest('es');
  const part = whole && filterManifestByFlows(whole, desk);
  expect(part?.routes.map(({ path, access }) => [path, access])).toEqual([['/desk', 'agent']]);
  expect([Object.keys(part?.flows ?? {}), Object.keys(part?.screens ?? {})]).toEqual([['desk'], ['day']]);
});

test('[DESK-01] a flow for agents that is not JSON is the only problem, because its screens need no translation', async () => {
  expect(await messages({ ...flow(), 'flows/desk.json': '{' })).toHaveLength(1);
});

test('[DESK-01] compiler rejects a portal block in a flow for agents, and a state of such a flow for others', async () => {
  expect(await messages(flow({}, { block: 'panel' }))).toContainEqual(expect.stringContaining('no block "panel"'));
  const open = { more: { path: '/more', block: 'board', access: 'anyone' } };
  expect(await messages(flow(open, {}))).toContainEqual(expect.stringContaining('this one is not'));
});
