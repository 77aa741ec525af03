// @vitest-environment happy-dom
import { act, cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Flow, Transition } from '../../src/engine/core/flow-and-screen-types.ts';
import { DefinitionError, type ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { DefinitionLoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { compileProject } from '../../src/engine/compiler/pipeline.ts';
import {
  listDirectBranches,
  buildOperationRequest,
  chooseFirstTrueBranch,
  findTransitionInvocation,
  resolveEnteredState,
  renderPrefillValues,
} from '../../src/engine/core/transition.ts';
import { draw } from '../definitions/support/draw.tsx';
import { importScreen } from './support/loaded-screens.ts';
import { breakFile, createRandom } from './support/break-file.ts';
import { flowPaths, readFlowCopy } from './support/flow-copy.ts';
import { createMemoryHost } from './support/project.ts';

// The definitions of the product are split into one project per flow, so that many broken projects load quickly. The
// seed selects the changes.
const seed = Number(process.env.FUZZ_SEED ?? 20261122);
const mutations = Number(process.env.FUZZ_MUTATIONS ?? 120);

interface Part extends ReturnType<typeof readFlowCopy> {
  /**
   * Cache shared between tests, as in a long-running process, so that effects of a broken project on the next one are
   * found.
   */
  readonly cache: DefinitionLoadCache;
}
const parts: readonly Part[] = flowPaths.map((path) => ({ ...readFlowCopy(path), cache: new DefinitionLoadCache() }));
afterEach(cleanup);

/** Compiles a copy, with some files changed. */
const compile = (
  { files, others, options, cache }: Part,
  changed: Readonly<Record<string, string | Uint8Array | null>> = {},
) => compileProject(createMemoryHost(new Map(Object.entries({ ...files, ...others, ...changed }))), options, cache);

/** Takes every transition of every state: with unknown results, and with failed operations. */
function takeEveryTransition(flow: Flow): void {
  const facts = { flags: {}, user: null, authenticated: false };
  for (const [name, state] of Object.entries(flow.states)) {
    const scope = { context: {}, facts, form: {}, result: { next: null }, error: { status: 400, errors: {} } };
    resolveEnteredState(flow, name, scope);
    renderPrefillValues(state, scope);
    const transitions: readonly Transition[] = [
      ...Object.values(state.on ?? {}),
      ...(state.invoke ? [state.invoke] : []),
    ];
    for (const transition of transitions) {
      const effect = findTransitionInvocation(transition);
      if (effect) buildOperationRequest(effect, scope);
      for (const branches of effect ? [effect.onDone, effect.onError] : [listDirectBranches(transition)])
        chooseFirstTrueBranch(flow, branches, scope);
    }
  }
}

async function exerciseDefinitions(definitions: ServedDefinitions, changed: string): Promise<void> {
  Object.values(definitions.flows).forEach(takeEveryTransition);
  for (const id of definitions.screens) {
    for (const language of definitions.languages)
      definitions.check(id, { email: 'x', numero_documento: 7, nombre: ['a'] }, { language, context: {} });
    if (!changed.startsWith(`schemas/${id}/`)) continue;
    const screen = await importScreen(definitions, id);
    const draft = screen.open({}, {});
    const { container } = await draw(screen, draft, {});
    act(() => void draft?.submit());
    expect(container.querySelector('h1')).not.toBeNull();
    cleanup();
  }
}

test('[EST-12] copies of all flows load and run before they are broken', async () => {
  for (const part of parts) await exerciseDefinitions(await compile(part), '');
}, 180_000);

test('[EST-12] randomly broken definition file is reported with its position, or its definitions work', async () => {
  const random = createRandom(seed);
  const counts = { refused: 0, accepted: 0 };
  for (let round = 0; round < mutations; round += 1) {
    const part = parts[Math.floor(random() * parts.length)]!;
    const names = Object.keys(part.files);
    const file = names[Math.floor(random() * names.length)]!;
    const { content, how } = breakFile(part.files[file]!, random);
    const note = `FUZZ_SEED=${seed}, round ${round}: ${file}, ${how}`;
    try {
      const definitions = await compile(part, { [file]: content });
      counts.accepted += 1;
      await exerciseDefinitions(definitions, file);
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
    }
  }
  expect(counts.refused, JSON.stringify(counts)).toBeGreaterThan(mutations / 2);
}, 300_000);
