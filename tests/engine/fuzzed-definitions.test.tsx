// @vitest-environment happy-dom
import { act, cleanup } from '@testing-library/react';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Flow, Transition } from '../../src/engine/core/definition.ts';
import { DefinitionError, type Definitions, type DefinitionsOptions } from '../../src/engine/compiler/definitions.ts';
import { expandFlow } from '../../src/engine/compiler/flow/expand-flow.ts';
import type { WrittenFlow } from '../../src/engine/compiler/flow/written-flow.ts';
import { LoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { branchesOf, operationOf, choose, effectOf, enter, prefillOf } from '../../src/engine/core/transition.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import { draw } from '../definitions/support/draw.tsx';
import { screenOf } from './support/loaded-screens.ts';
import { mutate, seeded } from './support/mutate.ts';
import { writeProject, type Files } from './support/project.ts';

// The real definitions, one flow at a time with the screens that it shows, so that many broken sets can be read in a short time.
const root = resolve(import.meta.dirname, '../..');
const options = definitionOptions(root);
const seed = Number(process.env.FUZZ_SEED ?? 20261122);
const mutations = Number(process.env.FUZZ_MUTATIONS ?? 250);

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const jsonIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`);
const flowOf = (path: string) => expandFlow(JSON.parse(read(path)) as WrittenFlow, () => undefined).flow;
const flows = jsonIn('flows');
const shared = Object.fromEntries(jsonIn('schemas/_shared').map((path) => [path, read(path)]));

interface Part {
  readonly files: Files;
  readonly folder: string;
  readonly options: DefinitionsOptions;
  /** As in a process that stays: what one broken set left there must not reach the next. */
  readonly cache: LoadCache;
  readonly write: (files: Files) => Promise<void>;
  readonly remove: () => Promise<void>;
}
let parts: readonly Part[] = [];

// Links to other flows need paths to lead to.
function stubs(own: string): Flow {
  const paths = flows
    .filter((path) => path !== own)
    .flatMap((path) => Object.values(flowOf(path).states).flatMap(({ path: address }) => address ?? []));
  const states = paths
    .filter((path) => path !== '*')
    .map((path, index) => [`s${index}`, { path: path.replaceAll(':', '_'), block: options.blocks[0] }]);
  return { id: 'others', initial: 's0', states: Object.fromEntries(states) as Flow['states'] };
}

beforeAll(async () => {
  parts = await Promise.all(
    flows.map(async (path) => {
      const screens = new Set(Object.values(flowOf(path).states).flatMap(({ screen }) => screen ?? []));
      const files = {
        ...shared,
        [path]: read(path),
        ...Object.fromEntries([...screens].flatMap((id) => jsonIn(`schemas/${id}`)).map((file) => [file, read(file)])),
      };
      const project = await writeProject({ ...files, 'flows/others.json': stubs(path) });
      return { ...project, files, options: { ...options, root: project.folder, pages: [] }, cache: new LoadCache() };
    }),
  );
});
afterEach(cleanup);
afterAll(() => Promise.all(parts.map(({ remove }) => remove())));

/** Takes every way of every state, with nothing known and with everything refused. */
function walk(flow: Flow): void {
  const facts = { flags: {}, user: null, authenticated: false };
  for (const [name, state] of Object.entries(flow.states)) {
    const scope = { context: {}, facts, form: {}, result: { next: null }, error: { status: 400, errors: {} } };
    enter(flow, name, scope);
    prefillOf(state, scope);
    const transitions: readonly Transition[] = [
      ...Object.values(state.on ?? {}),
      ...(state.invoke ? [state.invoke] : []),
    ];
    for (const transition of transitions) {
      const effect = effectOf(transition);
      if (effect) operationOf(effect, scope);
      for (const branches of effect ? [effect.onDone, effect.onError] : [branchesOf(transition)])
        choose(flow, branches, scope);
    }
  }
}

async function use(definitions: Definitions, changed: string): Promise<void> {
  Object.values(definitions.flows).forEach(walk);
  for (const id of definitions.screens) {
    for (const language of definitions.languages)
      definitions.check(id, { email: 'x', numero_documento: 7, nombre: ['a'] }, { language, context: {} });
    if (!changed.startsWith(`schemas/${id}/`)) continue;
    const screen = await screenOf(definitions, id);
    const draft = screen.open({}, {});
    const { container } = await draw(screen, draft, {});
    act(() => void draft?.submit());
    expect(container.querySelector('h1')).not.toBeNull();
    cleanup();
  }
}

test('[EST-12] every part is right before it is broken', async () => {
  for (const part of parts) await use(await loadDefinitions(part.options, part.cache), '');
}, 180_000);

test('[EST-12] a broken definition file is refused with its place, or works', async () => {
  const random = seeded(seed);
  const counts = { refused: 0, accepted: 0 };
  for (let round = 0; round < mutations; round += 1) {
    const part = parts[Math.floor(random() * parts.length)]!;
    const names = Object.keys(part.files);
    const file = names[Math.floor(random() * names.length)]!;
    const { content, how } = mutate(String(part.files[file]), random);
    const note = `FUZZ_SEED=${seed}, round ${round}: ${file}, ${how}`;
    await part.write({ [file]: content });
    try {
      const definitions = await loadDefinitions(part.options, part.cache);
      counts.accepted += 1;
      await use(definitions, file);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw new Error(note, { cause: error });
      counts.refused += 1;
      for (const problem of error.problems) {
        const { file: where, line, column, message, hint } = problem;
        expect(
          [
            where !== '',
            line > 0,
            column > 0,
            message !== '',
            hint !== '',
            /unforeseen|imprevisto|undefined|\[object/.test(message),
          ],
          `${note} ${JSON.stringify(problem)}`,
        ).toEqual([true, true, true, true, true, false]);
      }
    } finally {
      await part.write({ [file]: part.files[file] });
    }
  }
  expect(counts.refused, JSON.stringify(counts)).toBeGreaterThan(mutations / 2);
}, 300_000);
