import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../../src/engine/compiler/definitions.ts';
import { emitScreenDeclarations } from '../../src/engine/compiler/screen/emit-screen-declarations.ts';
import { createFlow, createForm, openScreen, type Flow } from '../../src/engine/index.ts';
import type { ScreenModule } from '../../src/engine/core/compiled-screen.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject, sampleProject } from './support/project.ts';

async function loadSample() {
  const { definitions, problems } = await loadProject(sampleProject);
  if (!definitions) throw new Error(JSON.stringify(problems));
  return definitions;
}

describe('[ENG-13] mistakes in the use of the package', () => {
  test('reject a screen whose plugin rules are missing, which would accept invalid values', async () => {
    const { screen } = (await loadSample()).screen('form', 'es');
    const module: ScreenModule = { screen, validators: () => ({}) };
    await expect(openScreen(module)).rejects.toThrow(
      /^The screen "form" needs the rules of plugins\/matches.*: openScreen\(module, \{ rules \}\)\.$/,
    );
    await expect(openScreen(module, { rules: new Map() })).resolves.toBeDefined();
  });

  test('reject an unknown state, an unknown event and an unknown field', async () => {
    const flow: Flow = { id: 'main', initial: 'a', states: { a: {} } };
    const running = createFlow(flow, {
      loadScreen: () => Promise.reject(new Error('no screen')),
      invoke: () => Promise.reject(new Error('no server')),
    });
    await expect(running.start('b')).rejects.toThrow('The flow "main" has no state "b".');
    await expect(running.send('sumbit')).rejects.toThrow('The flow "main" has no event "sumbit".');
    const form = createForm(await importScreen(await loadSample(), 'form'));
    expect(() => form.set('emial', 'a@b.uy')).toThrow('The form has no field emial.');
  });

  test('report the cause if a screen fails to load', async () => {
    const reported: unknown[] = [];
    const running = createFlow(
      { id: 'main', initial: 'a', states: { a: { screen: 'form' } } },
      {
        loadScreen: () => Promise.reject(new Error('no module')),
        invoke: () => Promise.reject(new Error('no server')),
        reportError: (error) => void reported.push(error),
      },
    );
    await running.start();
    expect([running.state.failed, String(reported)]).toEqual([true, 'Error: no module']);
  });
});

test('[ENG-13] values of a screen without fields have the type of an empty object', async () => {
  const { screen } = (await loadSample()).screen('done', 'es');
  expect(emitScreenDeclarations(screen)).toContain('{"type":"object","properties":{}');
});

test('[ENG-13] DefinitionError prints each problem once', () => {
  const problem = { file: 'a.json', line: 1, column: 1, pointer: '', message: 'Wrong here.', hint: 'Mend it.' };
  expect(inspect(new DefinitionError([problem])).split('Wrong here.')).toHaveLength(2);
});
