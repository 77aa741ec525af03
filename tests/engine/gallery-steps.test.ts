import { expect, test, vi } from 'vitest';
import { createFlow } from '../../src/engine/index.ts';
import { stepsSample } from './samples/steps.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject, type Files } from './support/project.ts';
import { messages } from './support/sample-form.ts';

const catalogue = { 'schemas/_shared/messages.json': messages };
// The order in which the server validates the screens differs from the order of the steps.
const forms = { save: ['contact', 'company', 'who'] };

const openFlow = async (files: Files = stepsSample.files) => {
  const { definitions, problems } = await loadProject({ ...catalogue, ...files }, { forms });
  const flow = definitions?.flows['main'];
  if (!flow) throw new Error(JSON.stringify(problems, null, 1));
  const invoke = vi.fn(async () => ({ ok: true, result: {} }) as const);
  const running = createFlow(flow, { loadScreen: (id) => importScreen(definitions, id), invoke });
  await running.start();
  const fill = (values: Readonly<Record<string, unknown>>) => {
    for (const [, field] of running.state.view?.form?.fields ?? [])
      if (field.visible && Object.hasOwn(values, field.spec.name)) field.set(values[field.spec.name]);
  };
  return { definitions, running, invoke, fill };
};

test.each([
  {
    who: 'empresa',
    answers: { company: 'UTE', name: 'Ana', role: 'Jefa' },
    walked: ['who', 'company', 'contact'],
  },
  { who: 'persona', answers: { name: 'Ana' }, walked: ['who', 'contact'] },
])(
  '[ENG-15] steps follow the value $who, and one operation sends the values of all steps',
  async ({ who, answers, walked }) => {
    const { definitions, running, invoke, fill } = await openFlow();
    const given = { who, ...answers };
    const seen: string[] = [];
    while (running.state.view?.form) {
      const { name } = running.state.view;
      expect(seen).not.toContain(name);
      seen.push(name);
      if (name !== 'who') expect(running.bar?.steps.map(({ state }) => state)).toEqual(walked);
      fill(given);
      await running.send('submit');
    }
    expect([seen, running.state.view?.name]).toEqual([walked, 'done']);
    const version = definitions.screenVersion(forms.save, {}, given);
    expect(invoke).toHaveBeenCalledExactlyOnceWith('save', { params: {}, body: given, version });
    const surroundings = { language: 'es', context: {} };
    expect(definitions.check(forms.save, given, surroundings)).toEqual({ data: given, errors: {} });
  },
);

test('[ENG-15] values of a step that a later change skips are not sent, and the server rejects them', async () => {
  const { definitions, running, invoke, fill } = await openFlow();
  const given = { who: 'empresa', company: 'UTE', name: 'Ana', role: 'Jefa' };
  const submit = async (values: object) => {
    fill({ ...given, ...values });
    await running.send('submit');
  };
  await submit({});
  await submit({});
  for (const before of ['company', 'who']) {
    await running.send('back');
    await vi.waitFor(() => expect(running.state.view?.name).toBe(before));
  }
  await submit({ who: 'persona' });
  expect(running.bar?.steps.map(({ state }) => state)).toEqual(['who', 'contact']);
  await submit({});
  const body = { who: 'persona', name: 'Ana' };
  expect(invoke).toHaveBeenCalledExactlyOnceWith('save', expect.objectContaining({ body }));
  const surroundings = { language: 'es', context: {} };
  expect(definitions.check(forms.save, { ...body, company: 'UTE' }, surroundings).errors).toEqual({ company: 'Sobra' });
  expect(definitions.check(forms.save, { ...body, who: 'empresa' }, surroundings).errors).toEqual({
    company: 'Falta',
    role: 'Falta',
  });
});

test('[ENG-15] value of a hidden field does not decide which steps follow', async () => {
  const files: Files = stepsSample.files;
  const { running, fill } = await openFlow({
    ...files,
    'schemas/who/schema.json': {
      type: 'object',
      required: ['who'],
      properties: { asks: { type: 'boolean' }, who: { type: 'string', enum: ['persona', 'empresa'] } },
    },
    'schemas/who/ui.json': {
      ...(files['schemas/who/ui.json'] as object),
      fields: {
        asks: { 'ui:title': 'Pregunta' },
        who: { 'ui:title': 'Quién', 'ui:enumNames': ['Una persona', 'Una empresa'] },
      },
      visible: { who: { var: 'form.asks' } },
    },
    'flows/main.json': {
      ...(files['flows/main.json'] as object),
      states: {
        ...stepsSample.files['flows/main.json'].states,
        who: {
          path: '/who',
          screen: 'who',
          on: { submit: [{ guard: { var: 'form.who' }, target: 'company' }, 'contact'] },
        },
      },
    },
  });
  fill({ asks: true });
  fill({ who: 'empresa' });
  fill({ asks: false });
  await running.send('submit');
  expect(running.bar?.steps.map(({ state }) => state)).toEqual(['who', 'contact']);
});

test.each([
  {
    reads: 'a context variable',
    guard: { var: 'context.who' },
    message: 'The guard reads "context.who", which the server does not know when it checks the steps.',
    hint: /Read a field of an earlier step: "form\.<field>"/,
  },
  {
    reads: 'the value of a later step',
    guard: { var: 'form.name' },
    message: 'The guard reads "form.name", which no step before this one asks for.',
    hint: /List the step that asks for it before this one/,
  },
])(
  '[ENG-15] compiler rejects a step whose guard reads $reads, and says what to write instead',
  async ({ guard, message, hint }) => {
    const progress = ['who', { state: 'company', guard }, 'contact'];
    const { problems } = await loadProject(
      {
        ...catalogue,
        ...stepsSample.files,
        'flows/main.json': { ...stepsSample.files['flows/main.json'], context: { history: ['who'] }, progress },
      },
      { forms },
    );
    const told = problems.map((problem) => [problem.file, problem.pointer, problem.message, problem.hint]);
    expect(told).toContainEqual(['flows/main.json', '/progress/1/guard', message, expect.stringMatching(hint)]);
  },
);
