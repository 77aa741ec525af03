import { describe, expect, test } from 'vitest';
import { changeSample, loadProject } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

/** The sample project with named branches in its flow, each of which two events use. */
const flow = (change: (content: Content) => void = () => undefined) =>
  changeSample('flows/main.json', (content: Content) => {
    const { submit } = content.states.form.on;
    content.branches = {
      saved: [
        { guard: { var: 'result.late' }, notice: 'again' },
        { assign: { email: { var: 'result.email' } }, target: 'done' },
      ],
    };
    submit.onDone = [{ guard: { var: 'result.twice' }, notice: 'again' }, { branches: 'saved' }];
    content.states.auto = {
      path: '/auto',
      invoke: { src: 'save', onDone: [{ branches: 'saved' }], onError: [{ target: 'form' }] },
    };
    change(content);
  });

describe('[ENG-02] named branches', () => {
  test('are inserted at each reference and removed from the flow', async () => {
    const { definitions, problems } = await loadProject(flow());
    expect(problems).toEqual([]);
    const main = definitions?.flows.main;
    const [late, saved] = [
      { guard: { var: 'result.late' }, notice: 'again' },
      { assign: { email: { var: 'result.email' } }, target: 'done' },
    ];
    expect(main?.states.form?.on?.submit).toMatchObject({
      onDone: [{ guard: { var: 'result.twice' }, notice: 'again' }, late, saved],
    });
    expect(main?.states.auto?.invoke?.onDone).toEqual([late, saved]);
    expect(main).not.toHaveProperty('branches');
  });

  test('work in `always`, in the onError of the flow, and next to other branches', async () => {
    const { definitions, problems } = await loadProject(
      changeSample('flows/main.json', (content: Content) => {
        content.branches = {
          home: [{ target: 'form' }],
          known: [{ guard: { var: 'context.email' }, target: 'done' }],
          failed: [{ field: true }],
        };
        content.states.auto = { path: '/auto', always: [{ branches: 'known' }, { branches: 'home' }] };
        content.states.form.on.submit.onError = [
          { guard: { '==': [{ var: 'error.code' }, 'again'] }, notice: 'again' },
        ];
        content.onError = [{ branches: 'failed' }];
      }),
    );
    expect(problems).toEqual([]);
    const main = definitions?.flows.main;
    expect(main?.states.auto?.always).toEqual([
      { guard: { var: 'context.email' }, target: 'done' },
      { target: 'form' },
    ]);
    expect(main?.states.form?.on?.submit).toMatchObject({ onError: [{}, { notice: 'again' }, { field: true }] });
  });

  test.each([
    {
      note: 'an unknown name',
      change: (c: Content) => (c.states.auto.invoke.onDone = [{ branches: 'save' }]),
      pointer: '/states/auto/invoke/onDone/0/branches',
      message: /no branches "save"/,
    },
    {
      note: 'a name inherited by every object',
      change: (c: Content) => (c.states.auto.invoke.onDone = [{ branches: 'constructor' }]),
      pointer: '/states/auto/invoke/onDone/0/branches',
      message: /no branches "constructor"/,
    },
    {
      note: 'unused branches',
      change: (c: Content) => (c.branches.spare = [{ target: 'form' }]),
      pointer: '/branches/spare',
      message: /Nothing uses "spare"/,
    },
    {
      note: 'a mistake inside them',
      change: (c: Content) => (c.branches.saved[1].target = 'fin'),
      pointer: '/branches/saved/1/target',
      message: /no state "fin"/,
    },
    {
      note: 'a last branch with a guard',
      change: (c: Content) => (c.branches.saved[1].guard = { var: 'result.ok' }),
      pointer: '/branches/saved/1',
      message: /has a condition/,
    },
    {
      note: 'a branch after a complete reference',
      change: (c: Content) => c.states.form.on.submit.onDone.push({ target: 'done' }),
      pointer: '/states/form/on/submit/onDone/2',
      message: /never taken/,
    },
    {
      note: 'a guard on a reference',
      change: (c: Content) => (c.states.form.on.submit.onDone[1].guard = true),
      pointer: '/states/form/on/submit/onDone/1/guard',
      message: /is in the wrong place/,
    },
    {
      note: 'a reference to themselves',
      change: (c: Content) => (c.branches.saved = [{ branches: 'saved' }]),
      pointer: '/branches/saved/0/branches',
      message: /contain themselves/,
    },
  ])('[ANA-02] are checked by the compiler, which reports once $note', async ({ change, pointer, message }) => {
    const { problems } = await loadProject(flow(change));
    expect(
      problems.filter((problem) => problem.pointer === pointer && message.test(problem.message)),
      JSON.stringify(problems, null, 1),
    ).toHaveLength(1);
  });
});
