import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { runFlow } from './support/run-flow.ts';
import { forms, wizardFiles } from './support/wizard.ts';

const text = { type: 'string', title: 'Texto', maxLength: 40 };
/**
 * The third step rejects an input that differs from the e-mail of the first step. It requires an hour if the name is
 * Ana.
 */
const time = {
  type: 'object',
  earlier: ['email', 'name'],
  required: ['day', 'hour'],
  properties: { day: { ...text, matches: { field: 'email', reason: 'email' } }, hour: text },
};
const uiOf = (id: string) => wizardFiles[`schemas/${id}/ui.json`] as object;
const files = {
  ...wizardFiles,
  'schemas/time/schema.json': time,
  'schemas/time/ui.json': { ...uiOf('time'), visible: { hour: { '==': [{ var: 'form.name' }, 'Ana'] } } },
};

let definitions: ServedDefinitions;
let screens: Readonly<Record<string, LoadedScreen>>;
beforeAll(async () => {
  const loaded = await loadProject(files, { forms });
  if (!loaded.definitions) throw new Error(JSON.stringify(loaded.problems));
  definitions = loaded.definitions;
  const all = [...definitions.screens].map(async (id) => [id, await importScreen(definitions, id)] as const);
  screens = Object.fromEntries(await Promise.all(all));
});

describe('[ENG-10] rules that read values of earlier steps', () => {
  const atTime = async (name: string) => {
    const running = runFlow(definitions.flows['main']!, { screens: { ...screens } });
    await running.arrive('contact');
    running.type({ name, email: 'ana@correo.uy' });
    await running.raise('submit');
    expect(running.shown()).toBe('time');
    return running;
  };
  const draftOf = ({ runner }: Awaited<ReturnType<typeof atTime>>) => runner.state.view?.form;

  test.each([
    ['Ana', true],
    ['Eva', false],
  ])('show or hide a field for the earlier value: %s', async (name, shown) => {
    expect(draftOf(await atTime(name))?.field('hour')?.visible).toBe(shown);
  });

  test('reject a value, and are evaluated again when the earlier value changes', async () => {
    const running = await atTime('Eva');
    running.type({ day: 'otra@correo.uy' });
    expect(draftOf(running)?.ready).toBe(false);
    running.type({ day: 'ana@correo.uy' });
    expect(draftOf(running)?.ready).toBe(true);
    await running.back();
    await running.arrive('contact');
    running.type({ email: 'eva@correo.uy' });
    await running.raise('submit');
    expect(draftOf(running)?.ready, 'the same value after a different one').toBe(false);
  });

  test('apply on the server to the body of all steps', () => {
    const check = (values: object) =>
      definitions.check(forms.save, values as Readonly<Record<string, unknown>>, {
        language: 'es',
        context: { flags: { on: false } },
      });
    const body = { name: 'Ana', email: 'ana@correo.uy', day: 'ana@correo.uy', hour: '10' };
    expect(check(body)).toEqual({ data: body, errors: {} });
    expect(Object.keys(check({ ...body, day: 'otra@correo.uy' }).errors)).toEqual(['day']);
    const { hour: _, ...without } = body;
    expect(Object.keys(check(without).errors)).toEqual(['hour']);
    expect(check({ ...without, name: 'Eva' })).toEqual({ data: { ...without, name: 'Eva' }, errors: {} });
  });
});

describe('[ENG-10] compiler check of "earlier"', () => {
  const secret = {
    'schemas/contact/schema.json': {
      type: 'object',
      properties: { email: { ...text, writeOnly: true }, name: text },
      required: ['email', 'name'],
    },
  };
  test.each<[string, object, RegExp]>([
    [
      'a field of the screen itself',
      { 'schemas/time/schema.json': { ...time, earlier: ['email', 'name', 'day'] } },
      /This screen itself asks for "day"/,
    ],
    [
      'a field that no earlier step has',
      { 'schemas/time/schema.json': { ...time, earlier: ['email', 'name', 'age'] } },
      /read the earlier answer "age", which no step before "time" asks for/,
    ],
    ['a secret', secret, /read the earlier answer "email"/],
    [
      'a rule that reads a field missing in "earlier"',
      { 'schemas/time/schema.json': { ...time, earlier: ['name'] } },
      /names the field "email", which does not exist/,
    ],
  ])('rejects %s', async (_, more, message) => {
    const { problems } = await loadProject({ ...files, ...more }, { forms });
    expect(problems.map((problem) => problem.message)).toEqual(
      expect.arrayContaining([expect.stringMatching(message)]),
    );
  });
});
