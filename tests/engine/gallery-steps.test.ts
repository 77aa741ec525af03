import { expect, test, vi } from 'vitest';
import { createFlow } from '../../src/engine/index.ts';
import { stepsSample } from './samples/steps.ts';
import { screenOf } from './support/loaded-screens.ts';
import { load } from './support/project.ts';
import { messages } from './support/sample-form.ts';

const catalogue = { 'schemas/_shared/messages.json': messages };

test.each([
  {
    who: 'empresa',
    answers: { company: 'UTE', name: 'Ana', role: 'Jefa' },
    walked: ['who', 'company', 'contactOfCompany'],
  },
  { who: 'persona', answers: { name: 'Ana' }, walked: ['who', 'contact'] },
])('[ENG-15] steps follow the answer $who, and one operation sends them all', async ({ who, answers, walked }) => {
  const { definitions, problems } = await load({ ...catalogue, ...stepsSample.files });
  const flow = definitions?.flows['main'];
  if (!flow) throw new Error(JSON.stringify(problems, null, 1));
  const invoke = vi.fn(async () => ({ ok: true, result: {} }) as const);
  const running = createFlow(flow, { loadScreen: (id) => screenOf(definitions, id), invoke, stepBar: 'bar' });
  const given: Readonly<Record<string, unknown>> = { who, ...answers };
  const seen: string[] = [];
  await running.start();
  while (running.state.view?.draft) {
    const { name, draft } = running.state.view;
    expect(seen).not.toContain(name);
    seen.push(name);
    if (name !== 'who') expect(running.bar?.steps.map(({ state }) => state)).toEqual(walked);
    for (const [, field] of draft.fields) if (field.visible) field.set(given[field.plan.name]);
    await running.send('submit');
  }
  expect([seen, running.state.view?.name]).toEqual([walked, 'done']);
  expect(invoke).toHaveBeenCalledExactlyOnceWith('save', expect.objectContaining({ body: given }));
});

test('[ENG-15] a step with a guard on an answer is refused with what to write instead', async () => {
  const { problems } = await load({ ...catalogue, ...stepsSample.refused });
  expect(problems.map(({ file, pointer, message, hint }) => [file, pointer, message, hint])).toEqual([
    [
      'flows/main.json',
      '/progress/1/guard',
      'The guard reads "form.who", which the server does not know when it checks the steps.',
      expect.stringContaining('"progress": { "<name>": [ … ]'),
    ],
  ]);
});
