import { describe, expect, test } from 'vitest';
import { changed, load } from './support/project.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a broken file is broken in any place */
type Content = any;

const compiled = async (change: (content: Content) => void) => {
  const { definitions, problems } = await load(changed('flows/main.json', change));
  expect(problems).toEqual([]);
  return definitions?.flows.main;
};
const again = { guard: { '==': [{ var: 'error.code' }, 'again'] }, notice: 'again' };

describe('[ENG-02] short forms of a flow', () => {
  test.each([
    ['a value that is there', 'context.email', { var: 'context.email' }],
    ['a value that is this one', { 'context.email': 'a' }, { '==': [{ var: 'context.email' }, 'a'] }],
    ['a value of a list', { 'context.email': ['a', 'b'] }, { in: [{ var: 'context.email' }, ['a', 'b']] }],
    [
      'several together',
      { 'context.email': 'a', 'flags.on': true },
      { and: [{ '==': [{ var: 'context.email' }, 'a'] }, { '==': [{ var: 'flags.on' }, true] }] },
    ],
    [
      'operands of and, or and not',
      { or: ['flags.on', { '!': 'context.email' }, { and: [{ 'context.email': 'a' }, 'authenticated'] }] },
      {
        or: [
          { var: 'flags.on' },
          { '!': { var: 'context.email' } },
          { and: [{ '==': [{ var: 'context.email' }, 'a'] }, 'authenticated'] },
        ],
      },
    ],
    ['what JSON-logic compares is its own', { '==': ['context.email', 'a'] }, { '==': ['context.email', 'a'] }],
  ])('a guard: %s', async (_, written, guard) => {
    const flow = await compiled((c) => {
      c.guards = { named: written };
      c.states.done.requires.guard = written;
      c.states.form.on.submit.onDone.unshift({ guard: 'named', target: 'done' });
    });
    expect(flow?.states.done?.requires?.guard).toEqual(guard);
    expect(flow?.states.form?.on?.submit).toMatchObject({ onDone: [{ guard }, {}] });
  });

  test('a text that names a value is that value, wherever templates stand', async () => {
    const flow = await compiled((c) => {
      const { submit } = c.states.form.on;
      c.delays = { late: { at: 'context.email' } };
      c.states.form.after = { late: { notice: 'again' } };
      c.states.form.prefill = { email: 'context.email', extra: 'no value' };
      Object.assign(submit, { params: { id: 'user.id' }, input: { deep: { list: ['form.email', 'a.b@c'] } } });
      submit.onDone = [
        { guard: 'result.far', leave: { to: '/form', query: { mail: 'form.email' } } },
        { assign: { email: 'form.email' }, target: 'done' },
      ];
    });
    expect(flow?.states.form).toMatchObject({
      after: { at: { var: 'context.email' } },
      prefill: { email: { var: 'context.email' }, extra: 'no value' },
      on: {
        submit: {
          params: { id: { var: 'user.id' } },
          input: { deep: { list: [{ var: 'form.email' }, 'a.b@c'] } },
          onDone: [
            { guard: { var: 'result.far' }, leave: { to: '/form', query: { mail: { var: 'form.email' } } } },
            { assign: { email: { var: 'form.email' } }, target: 'done' },
          ],
        },
      },
    });
  });

  test('branches together share what none of them says itself', async () => {
    const flow = await compiled((c) => {
      c.branches = { refused: [{ guard: { 'error.code': 'other' }, target: 'form' }, { branches: 'last' }] };
      c.branches.last = { notice: 'again' };
      c.states.done.always = {
        assign: { email: 'x', end: 'user.id' },
        target: 'form',
        branches: [
          { guard: 'flags.on', assign: { email: 'y' } },
          { guard: 'user.name', leave: '/form' },
        ],
      };
      c.states.form.on.submit.onError = { branches: 'refused', target: 'done', clear: ['/email'] };
      c.states.form.prefill = { email: 'context.end' };
      delete c.states.form.on.submit.onError.target;
    });
    expect(flow?.states.done?.always).toEqual([
      { guard: { var: 'flags.on' }, assign: { email: 'y', end: { var: 'user.id' } }, target: 'form' },
      { guard: { var: 'user.name' }, assign: { email: 'x', end: { var: 'user.id' } }, leave: '/form' },
    ]);
    expect(flow?.states.form?.on?.submit).toMatchObject({
      onError: [
        {},
        { guard: { '==': [{ var: 'error.code' }, 'other'] }, target: 'form', clear: ['/email'] },
        { notice: 'again', clear: ['/email'] },
      ],
    });
  });

  test('what every place of a call says alike stands once: a place has the last word, and errors first', async () => {
    const flow = await compiled((c) => {
      c.calls = {
        save: {
          description: 'Keeps it',
          params: { id: 'user.id' },
          input: { a: 1, b: 1 },
          onDone: 'done',
          onError: [{ guard: { 'error.code': 'again' }, notice: 'again' }],
        },
      };
      c.onError = { field: true };
      c.states.form.on = { submit: { src: 'save' } };
      c.states.auto = {
        path: '/auto',
        invoke: { src: 'save', params: {}, input: { b: 2 }, onDone: 'form', onError: { target: 'form' } },
      };
      c.states.done.requires.guard = 'user.id';
      delete c.context;
      c.states.form.on.submit.onDone = { assign: { email: 'form.email' }, target: 'done' };
    });
    expect(flow?.states.form?.on?.submit).toMatchObject({
      params: { id: { var: 'user.id' } },
      input: { a: 1, b: 1 },
      onDone: [{ target: 'done' }],
      onError: [{}, again, { field: true }],
    });
    expect(flow?.states.auto?.invoke).toEqual({
      src: 'save',
      params: {},
      input: { a: 1, b: 2 },
      onDone: [{ target: 'form' }],
      onError: [{ guard: { var: 'error.next' }, leave: { var: 'error.next' } }, { target: 'form' }],
    });
  });

  test('variables stand by where they come from; what a branch assigns is one anyway', async () => {
    const flow = await compiled((c) => {
      c.context = { query: ['ref'], history: ['ref', 'kept'], storage: ['email'], defaults: { kept: 1 } };
      c.states.form.on.submit.onDone[0].assign = { email: 'form.email', free: 'context.ref', kept: 'context.free' };
      c.states.form.prefill = { email: 'context.kept' };
    });
    expect(flow?.context).toEqual({
      ref: { from: 'query', persist: 'entry' },
      kept: { from: 'result', persist: 'entry', default: 1 },
      email: { from: 'result', persist: true },
      free: { from: 'result' },
    });
  });

  test.each([
    {
      note: 'a call without what follows',
      change: (c: Content) => delete c.states.form.on.submit.onDone,
      pointer: '/states/form/on/submit',
      message: /does not say what follows/,
    },
    {
      note: 'a call of "calls" that the flow does not make',
      change: (c: Content) => (c.calls = { list: { onDone: 'done' } }),
      pointer: '/calls/list',
      message: /Nothing uses "list" of "calls"/,
    },
    {
      note: 'what is wrong in "calls", where it stands',
      change: (c: Content) => {
        c.calls = { save: { onError: { target: 'nowhere' } } };
        delete c.states.form.on.submit.onError;
      },
      pointer: '/calls/save/onError/target',
      message: /no state "nowhere"/,
    },
    {
      note: 'a value that is not there',
      change: (c: Content) => (c.states.done.requires.guard = 'context.emial'),
      pointer: '/states/done/requires/guard',
      message: /"context.emial" does not exist/,
    },
    {
      note: 'a variable as an older version wrote it',
      change: (c: Content) => (c.context = { email: { from: 'form' } }),
      pointer: '/context/email',
      message: /by where they come from now/,
    },
  ])('[ANA-02] $note is told once', async ({ change, pointer, message }) => {
    const { problems } = await load(changed('flows/main.json', change));
    expect(
      problems.filter((problem) => problem.pointer === pointer && message.test(problem.message)),
      JSON.stringify(problems, null, 1),
    ).toHaveLength(1);
  });
});
