import { expect, test } from 'vitest';
import type { LoadDefinitionsOptions } from '../../src/engine/compiler/definitions.ts';
import { loadProject } from './support/project.ts';
import { bookingFlow, forms, wizardFiles } from './support/wizard.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const file = 'flows/main.json';

/** Returns the problems of the wizard after a change of its flow. */
async function problemsOf(
  change: (flow: Content) => void,
  more: object = {},
  options: Partial<LoadDefinitionsOptions> = {},
) {
  const flow = structuredClone(bookingFlow) as Content;
  change(flow);
  const { problems } = await loadProject({ ...wizardFiles, [file]: flow, ...more }, { forms, ...options });
  return problems;
}

const cases: readonly (readonly [
  note: string,
  change: (flow: Content) => void,
  pointer: string,
  message: RegExp,
  more?: object,
])[] = [
  ['an unknown state', (f) => (f.progress[2] = 'tiem'), '/progress/2', /no state "tiem"/],
  ['a duplicate state', (f) => f.progress.push('time'), '/progress/4', /"time" is already a step of this journey/],
  ['a single step', (f) => (f.progress = ['contact']), '/progress', /fewer than 2/],
  [
    'a sequence of steps without a name',
    (f) => (f.progress = { '': ['contact', 'time'] }),
    '/progress',
    /^The name "" must look like/,
  ],
  [
    'an unknown key',
    (f) => (f.progress[2] = { state: 'time', title: 'x' }),
    '/progress/2/title',
    /"title" is in the wrong place/,
  ],
  [
    'an unknown guard',
    (f) => (f.progress[2] = { state: 'time', guard: 'nope' }),
    '/progress/2/guard',
    /no guards "nope"/,
  ],
  [
    'a guard that reads a context variable',
    (f) => (f.progress[2] = { state: 'time', guard: { var: 'context.name' } }),
    '/progress/2/guard',
    /reads "context.name"/,
  ],
  ['a state without a screen', (f) => delete f.states.confirm.screen, '/progress/3', /"confirm" has no screen/],
  ['a block', (f) => (f.states.confirm.block = 'panel'), '/progress/3', /"confirm" has no screen/],
  [
    'a dialog',
    (f) => Object.assign(f.states.confirm, { modal: true, path: undefined }),
    '/progress/3',
    /"confirm" is a dialog/,
  ],
  [
    'a step of two journeys',
    (f) => (f.progress = { one: f.progress, two: ['time', 'confirm'] }),
    '/progress/two/0',
    /"time" is a step of two journeys/,
  ],
  [
    'a first step of two journeys that shows the bar',
    (f) => (f.progress = { one: f.progress, two: ['contact', 'phone'] }),
    '/progress/two/0',
    /"contact" is a step of two journeys/,
  ],
  [
    'a next step that is not reachable',
    (f) => (f.states.time.on.submit = 'booked'),
    '/progress/2',
    /Nothing leads from the step "time" to "confirm"/,
  ],
  [
    'an unreachable step after a step with a guard',
    (f) => (f.states.contact.on.submit = 'phone'),
    '/progress/0',
    /Nothing leads from the step "contact" to "time"/,
  ],
  [
    'a path that skips steps without fields',
    (f) => {
      f.progress = ['confirm', 'other'];
      f.states.confirm.on.confirm = 'other';
      f.states.other = { path: '/other', screen: 'booked', on: {} };
    },
    '/progress/1',
    /skips the earlier steps/,
  ],
  [
    'an operation outside the steps that sends their values',
    (f) => {
      f.progress.pop();
    },
    '/states/confirm',
    /is not a step of a journey/,
  ],
  [
    'a step title with a variable',
    () => undefined,
    '/progress/2',
    /has no name for "time"/,
    { 'schemas/time/ui.json': { ...(wizardFiles['schemas/time/ui.json'] as object), title: 'Día de {name}' } },
  ],
  [
    'a field in two steps',
    () => undefined,
    '/progress/1',
    /"contact" and "phone" both ask for "name"/,
    {
      'schemas/phone/schema.json': { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
      'schemas/phone/ui.json': {
        ...(wizardFiles['schemas/phone/ui.json'] as object),
        fields: { name: { 'ui:title': 'A' } },
      },
      'schemas/phone/ui.pt.json': {
        ...(wizardFiles['schemas/phone/ui.pt.json'] as object),
        fields: { name: { 'ui:title': 'A' } },
      },
    },
  ],
  [
    'a secret in a step before the last one',
    () => undefined,
    '/progress/1',
    /The secret "phone" of the step "phone" would be lost/,
    {
      'schemas/phone/schema.json': {
        type: 'object',
        properties: { phone: { type: 'string', writeOnly: true, maxLength: 9 } },
      },
      'schemas/phone/ui.json': {
        ...(wizardFiles['schemas/phone/ui.json'] as object),
        fields: { phone: { 'ui:title': 'PHONE', 'ui:autocomplete': 'off' } },
      },
    },
  ],
];

test('compiler finds no problem in the wizard that the other tests change', async () => {
  expect(await problemsOf(() => undefined)).toEqual([]);
});

test.each(cases.map(([note, change, pointer, message, more = {}]) => [note, change, pointer, message, more] as const))(
  '[ENG-10 ANA-02] compiler reports in the steps of a flow %s',
  async (_note, change, pointer, message, more) => {
    const found = (await problemsOf(change, more)).filter((problem) => message.test(problem.message));
    expect(found).toMatchObject([{ file, pointer }]);
    expect(found[0]?.hint).toMatch(/\.$/);
  },
);

test('[ENG-10 ANA-02] compiler reports an operation whose screens differ from those of the steps', async () => {
  const found = async (save: readonly string[]) => problemsOf(() => undefined, {}, { forms: { save } });
  const place = { file, pointer: '/states/confirm' };
  expect(await found(['contact', 'time'])).toMatchObject([{ ...place, message: expect.stringMatching(/"phone"/) }]);
  expect(await found([])).toMatchObject([{ ...place, message: expect.stringMatching(/validated with no screen/) }]);
  expect(await found(['time', 'phone', 'contact'])).toEqual([]);
});

test('[ENG-10 ANA-02] compiler reports an unknown fact that hides a field of two steps, and not that both ask for it', async () => {
  const ui = wizardFiles['schemas/phone/ui.json'] as object;
  const fields = { name: { 'ui:title': 'A' } };
  const problems = await problemsOf(() => undefined, {
    'schemas/phone/schema.json': { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
    'schemas/phone/ui.json': { ...ui, fields, visible: { name: { var: 'flags.no' } } },
    'schemas/phone/ui.pt.json': { ...(wizardFiles['schemas/phone/ui.pt.json'] as object), fields },
  });
  expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(/"flags\.no" does not exist/)]);
});

test('[ENG-10] compiler accepts one step with two states, one of them for signed-in citizens', async () => {
  const problems = await problemsOf((f) => {
    const { contact } = f.states;
    f.states.known = {
      ...contact,
      path: undefined,
      requires: { guard: { var: 'user' }, else: 'contact' },
      prefill: { name: { var: 'user.name' } },
    };
    contact.requires = { guard: { '!': { var: 'user' } }, else: 'known' };
    f.progress.splice(
      0,
      1,
      { state: 'contact', bar: false, guard: { '!': { var: 'user' } } },
      { state: 'known', bar: false, guard: { var: 'user' } },
    );
  });
  expect(problems.map(({ message }) => message)).toEqual([]);
});

test('[ENG-10] compiler expects no transition between two steps whose guards exclude each other', async () => {
  const secret = { type: 'object', properties: { pin: { type: 'string', writeOnly: true, maxLength: 9 } } };
  const ends = {
    'schemas/confirm/schema.json': secret,
    'schemas/confirm/ui.json': {
      ...(wizardFiles['schemas/confirm/ui.json'] as object),
      fields: { pin: { 'ui:title': 'PIN', 'ui:autocomplete': 'off' } },
    },
  };
  const found = async (guard: object) => {
    const problems = await problemsOf(
      (f) => {
        const { confirm, time } = f.states;
        f.states.known = { ...confirm, path: '/known' };
        f.progress[3] = { state: 'confirm', guard: { '!': { var: 'user' } } };
        f.progress.push({ state: 'known', guard });
        time.on.submit = [{ guard: { var: 'user' }, target: 'known' }, 'confirm'];
      },
      ends,
      { forms: { save: [...forms.save, 'confirm'] } },
    );
    return problems.flatMap((problem) => (problem.file === file ? [problem.message] : []));
  };
  expect(await found({ var: 'user' })).toEqual([]);
  expect(await found({ var: 'flags.on' })).toEqual([
    expect.stringMatching(/Nothing leads from the step "confirm" to "known"/),
    expect.stringMatching(/The secret "pin" of the step "confirm" would be lost/),
  ]);
});

test('[ENG-10] compiler skips steps with the same guard together, so that only the first follows the step before them', async () => {
  const unled = async (guards: readonly (object | undefined)[]) => {
    const names = ['time', 'extra', 'confirm'];
    const problems = await problemsOf((f) => {
      f.states.extra = { path: '/extra', screen: 'booked', on: { submit: 'confirm' } };
      f.states.time.on.submit = 'extra';
      f.states.contact.on.submit = 'time';
      const steps = names.map((state, index) => ({ state, ...(guards[index] && { guard: guards[index] }) }));
      f.progress = ['contact', ...steps];
    });
    return problems.flatMap(({ message }) => /from the step "(.*)" to "(.*)"/.exec(message)?.slice(1).join() ?? []);
  };
  const signedIn = { var: 'user' };
  expect(await unled([signedIn, signedIn, undefined])).toEqual(['contact,confirm']);
  expect(await unled([signedIn, { var: 'flags.on' }, undefined])).toEqual(['contact,extra']); // the first missing transition of the journey
});

test('[ENG-10] compiler accepts several named journeys that begin with the same step', async () => {
  const problems = await problemsOf((f) => {
    f.progress = {
      long: f.progress,
      short: [{ state: 'contact', bar: false, description: 'Where they part.' }, 'other'],
    };
    f.states.other = { path: '/other', screen: 'booked', on: {} };
    f.states.contact.on.submit.push('other');
    f.states.contact.on.submit[1].guard = { var: 'user' };
  });
  expect(problems.map(({ message }) => message)).toEqual([]);
});

test('[ENG-10] compiler looks for a field of the final operation in the screens of all steps', async () => {
  const reads = (field: string) => [{ operation: 'save', screens: forms.save, field, type: 'string' }];
  expect(await problemsOf(() => undefined, {}, { reads: reads('hour') })).toEqual([]);
  expect(await problemsOf(() => undefined, {}, { reads: reads('huor') })).toMatchObject([
    { file: 'schemas/contact/schema.json', pointer: '/properties', message: expect.stringMatching(/"huor"/) },
  ]);
});

test('[ENG-10] step bar names a step by "step" of its screen instead of the title', async () => {
  const named = (path: string, step: string) => ({ [path]: { ...(wizardFiles[path] as object), step } });
  const { definitions } = await loadProject(
    { ...wizardFiles, ...named('schemas/time/ui.json', 'Cuándo'), ...named('schemas/time/ui.pt.json', 'Quando') },
    { forms },
  );
  expect(definitions?.flows['main']?.progress?.[0]?.[2]).toEqual({
    state: 'time',
    titles: { es: 'Cuándo', pt: 'Quando' },
  });
});
