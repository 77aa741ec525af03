import { describe, expect, test } from 'vitest';
import { loadUncheckedDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { changeSample, loadProject, writeProject } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const compileFlow = async (change: (content: Content) => void) => {
  const { definitions, problems } = await loadProject(changeSample('flows/main.json', change));
  expect(problems).toEqual([]);
  return definitions?.flows.main;
};
const again = { guard: { '==': [{ var: 'error.code' }, 'again'] }, notice: 'again' };

/** A mistake in a flow, and the problem that the compiler reports. */
interface FlowMistake {
  readonly note: string;
  readonly change: (content: Content) => unknown;
  readonly pointer: string;
  readonly message: RegExp;
  readonly hint?: string;
}

describe('[ENG-02] optional parts of a flow', () => {
  test('include the id, which is the file name and cannot differ from it', async () => {
    expect((await compileFlow((c) => delete c.id))?.id).toBe('main');
    const { problems } = await loadProject(changeSample('flows/main.json', (c: Content) => (c.id = 'other')));
    expect(problems.map(({ pointer }) => pointer)).toContain('/id');
  });

  test('include onError, whose default shows the errors in the form', async () => {
    const errors = async (change: (content: Content) => void) => {
      const submit = (await compileFlow(change))?.states.form?.on?.submit;
      return submit && 'onError' in submit ? submit.onError.slice(1) : null; // without the first branch, which navigates to the URL in the error
    };
    expect(await errors((c) => delete c.states.form.on.submit.onError)).toEqual([{ field: true }]);
    expect(await errors((c) => (c.states.form.on.submit.onError = again))).toEqual([again, { field: true }]);
    const ofFlow = (c: Content) => {
      delete c.states.form.on.submit.onError;
      c.onError = { notice: 'again' };
    };
    expect(await errors(ofFlow)).toEqual([{ notice: 'again' }]);
  });

  test('include parameters and input of operations, whose defaults a flow can extend or override', async () => {
    const defaults = { save: { params: { id: { var: 'user' } }, input: {} } };
    const submit = async (change: (content: Content) => void) => {
      const { definitions } = await loadProject(
        changeSample('flows/main.json', (c: Content) => {
          delete c.states.form.on.submit.input;
          change(c.states.form.on.submit);
        }),
        { defaults },
      );
      return definitions?.flows.main?.states.form?.on?.submit;
    };
    expect(await submit(() => undefined)).toMatchObject({ params: { id: { var: 'user' } }, input: {} });
    expect(await submit((c) => (c.params = { more: 'context.email' }))).toMatchObject({
      params: { id: { var: 'user' }, more: { var: 'context.email' } },
    });
    expect(await submit((c) => (c.params = { id: 'context.email' }))).toMatchObject({
      params: { id: { var: 'context.email' } },
    });
    expect(await submit((c) => (c.input = { email: 'form.email' }))).toMatchObject({
      input: { email: { var: 'form.email' } },
    });
  });
});

describe('[ENG-02] short forms of a flow', () => {
  test.each([
    ['a variable name', 'context.email', { var: 'context.email' }],
    ['a variable with a value', { 'context.email': 'a' }, { '==': [{ var: 'context.email' }, 'a'] }],
    ['a variable with several values', { 'context.email': ['a', 'b'] }, { in: [{ var: 'context.email' }, ['a', 'b']] }],
    [
      'several variables',
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
          { and: [{ '==': [{ var: 'context.email' }, 'a'] }, { var: 'authenticated' }] },
        ],
      },
    ],
    ['a fact of one word', 'authenticated', { var: 'authenticated' }],
    ['a negated fact', { '!': 'authenticated' }, { '!': { var: 'authenticated' } }],
    [
      'named guards as operands',
      { and: ['mine', { '!': ['mine'] }, 'context.email'] },
      { and: [{ var: 'user.id' }, { '!': [{ var: 'user.id' }] }, { var: 'context.email' }] },
    ],
    ['a reference to another guard', 'mine', { var: 'user.id' }],
    [
      'no operands of a JsonLogic comparison',
      { in: ['mine', [{ var: 'context.email' }, 'authenticated']] },
      { in: ['mine', [{ var: 'context.email' }, 'authenticated']] },
    ],
  ])('expand as a guard %s', async (_, written, guard) => {
    const flow = await compileFlow((c) => {
      c.guards = { named: written, mine: 'user.id' };
      c.states.auto = { path: '/auto', always: [{ guard: 'mine', target: 'form' }, { target: 'done' }] };
      c.states.done.requires.guard = written;
      c.states.form.on.submit.onDone.unshift({ guard: 'named', target: 'done' });
    });
    expect(flow?.states.done?.requires?.guard).toEqual(guard);
    expect(flow?.states.form?.on?.submit).toMatchObject({ onDone: [{ guard }, {}] });
  });

  test('expand a text that names a variable in every template', async () => {
    const flow = await compileFlow((c) => {
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

  test('apply the common keys of a list of branches to each branch', async () => {
    const flow = await compileFlow((c) => {
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

  test('merge the defaults of an operation into each of its uses, with its errors first', async () => {
    const flow = await compileFlow((c) => {
      c.operations = {
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

  test('declare variables by their source, and assigned variables implicitly', async () => {
    const flow = await compileFlow((c) => {
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

  test.each<FlowMistake>([
    {
      note: 'an operation without onDone',
      change: (c: Content) => delete c.states.form.on.submit.onDone,
      pointer: '/states/form/on/submit',
      message: /has no "onDone"/,
    },
    {
      note: 'an unused entry of "operations"',
      change: (c: Content) => (c.operations = { list: { onDone: 'done' } }),
      pointer: '/operations/list',
      message: /Nothing uses "list" of "operations"/,
    },
    {
      note: 'a mistake inside "operations"',
      change: (c: Content) => {
        c.operations = { save: { onError: { target: 'nowhere' } } };
        delete c.states.form.on.submit.onError;
      },
      pointer: '/operations/save/onError/target',
      message: /no state "nowhere"/,
    },
    {
      note: 'an unknown variable',
      change: (c: Content) => (c.states.done.requires.guard = 'context.emial'),
      pointer: '/states/done/requires/guard',
      message: /"context.emial" does not exist/,
    },
    {
      note: 'a variable with two sources',
      change: (c: Content) => {
        c.context = { query: ['slug'], path: ['slug'], storage: ['email'] };
        c.states.done.path = '/done/:slug';
      },
      pointer: '/context/path/0',
      message: /"slug" is also in "query"/,
    },
    {
      note: 'a variable with two storages',
      change: (c: Content) => (c.context = { history: ['email'], storage: ['email'] }),
      pointer: '/context/storage/0',
      message: /"email" is also in "history"/,
    },
    ...['email', 5].map((at) => ({
      note: `a delay with an invalid time (${at})`,
      change: (c: Content) => {
        c.delays = { late: { at } };
        c.states.form.after = { late: { notice: 'again' } };
      },
      pointer: '/delays/late/at',
      message: /is not a time: the delay would never end/,
    })),
    {
      note: 'a rule in a list of merged objects',
      change: (c: Content) => (c.states.form.on.submit.input = [{ a: 1 }, { var: 'form' }]),
      pointer: '/states/form/on/submit/input/1',
      message: /A rule cannot be merged/,
    },
    {
      note: 'a text with dots instead of a variable',
      change: (c: Content) => (c.states.form.on.submit.onDone[0].assign.email = 'www.gub.uy'),
      pointer: '/states/form/on/submit/onDone/0/assign/email',
      message: /"www.gub.uy" does not exist/,
      hint: 'For a text, write { "cat": ["www.gub.uy"] }.',
    },
    ...[
      ['/states/form/on/submit', (c: Content) => (c.states.form.on.submit = { invoke: { src: 'save' } })],
      ['/states/form/on/submit/onDone/0', (c: Content) => (c.states.form.on.submit.onDone[0].invoke = 'save')],
      ['', (c: Content) => (c.invoke = { src: 'save', onDone: 'done' })],
    ].map(([place, change]) => ({
      note: `"invoke" outside a state (${String(place)})`,
      change: change as FlowMistake['change'],
      pointer: `${String(place)}/invoke`,
      message: /"invoke" is allowed only in a state/,
    })),
    {
      note: 'a misspelt assigned variable',
      change: (c: Content) => (c.states.form.on.submit.onDone[0].assign.emial = 'x'),
      pointer: '/states/form/on/submit/onDone/0/assign/emial',
      message: /"emial" is assigned, but nothing reads it/,
      hint: 'Did you mean "email"?',
    },
    {
      note: 'a misspelt read variable',
      change: (c: Content) => {
        c.states.form.prefill = { extra: 'context.other' };
        c.states.form.on.submit.onDone[0].assign = { email: 'x', other: 'x', othr: 'x' };
      },
      pointer: '/states/form/on/submit/onDone/0/assign/othr',
      message: /"othr" is assigned, but nothing reads it/,
      hint: 'Did you mean "other"?',
    },
    {
      note: 'a misspelt variable with a block',
      change: (c: Content) => {
        c.states.panel = { path: '/panel', block: 'panel' };
        c.states.form.prefill = { extra: 'context.other' };
        c.states.form.on.submit.onDone[0].assign = { emial: 'x', other: 'x', othr: 'x' };
      },
      pointer: '/states/form/on/submit/onDone/0/assign/emial',
      message: /"emial" is assigned/,
    },
    {
      note: 'a variable without its source',
      change: (c: Content) => (c.context = { email: { from: 'form' } }),
      pointer: '/context/email',
      message: /groups variables by their source/,
    },
    ...[
      ['!context.email', 'Write { "!": "context.email" }.'],
      ['context.email ', 'Write "context.email".'],
      ['context.mi-token', 'Write the name of a value ("context.token": letters'],
    ].map(([text, hint]) => ({
      note: `an invalid text as a condition (${text})`,
      change: (c: Content) => (c.states.done.requires.guard = text),
      pointer: '/states/done/requires/guard',
      message: /is not a condition: it would always be true/,
      hint,
    })),
    {
      note: 'an operand with an unknown guard',
      change: (c: Content) => (c.states.done.requires.guard = { and: ['context.email', { '!': ['mnie'] }] }),
      pointer: '/states/done/requires/guard/and/1/!/0',
      message: /no guards "mnie"/,
    },
    {
      note: 'an unknown guard used twice',
      change: (c: Content) => {
        c.guards = { a: 'b' };
        c.states.done.requires.guard = 'a';
        c.states.form.on.submit.onDone.unshift({ guard: { '!': 'a' }, target: 'done' });
      },
      pointer: '/guards/a',
      message: /no guards "b"/,
    },
    {
      note: 'a guard named like a fact',
      change: (c: Content) => {
        c.guards = { authenticated: 'context.email' };
        c.states.done.requires.guard = { '!': 'authenticated' };
      },
      pointer: '/guards/authenticated',
      message: /is already a fact/,
    },
    {
      note: 'a circular guard',
      change: (c: Content) => {
        c.guards = { a: { '!': 'b' }, b: { or: ['a', 'context.email'] } };
        c.states.done.requires.guard = 'a';
      },
      pointer: '/guards/b/or/0',
      message: /"a" refers to itself/,
    },
    ...[
      [{ '==': ['context.email', 'a'] }, '/==/0'],
      [{ 'context.email': 'user.id' }, '/==/1'],
      [{ 'context.email': ['a', 'user.id'] }, '/in/1/1'],
      [{ '<': [{ if: [{ var: 'context.email' }, 'context.mail', 1] }, 2] }, '/</0/if/1'],
    ].map(([guard, place]) => ({
      note: `a text that resembles a variable (${JSON.stringify(guard)})`,
      change: (c: Content) => (c.states.done.requires.guard = guard),
      pointer: `/states/done/requires/guard${String(place)}`,
      message: /is a text here, not the value/,
    })),
    ...[
      [{ if: ['mine', true, false] }, '/if/0', /"mine" is not a condition: it would always be true/],
      [{ if: [{ var: 'flags.on' }, true, ''] }, '/if/2', /"" is not a condition: it would never be true/],
      [{ some: [{ var: 'user.roles' }, 'admin'] }, '/some/1', /"admin" is not a condition/],
      [{ or: ['context.email', ['flags.on']] }, '/or/1', /A list is not a condition: it would always be true/],
      [{ '!': 0 }, '/!', /0 is not a condition: it would never be true/],
      [{ '!': ['context.email', 'flags.on'] }, '', /"!" takes one operand, but has 2/],
      [{ and: [] }, '', /"and" has no operands/],
      [{ '!=': ['authenticated', true] }, '', /compares only constants/],
    ].map(([guard, place, message]) => ({
      note: `a constant condition (${JSON.stringify(guard)})`,
      change: (c: Content) => (c.states.done.requires.guard = guard),
      pointer: `/states/done/requires/guard${String(place)}`,
      message: message as RegExp,
    })),
    ...[
      [{ if: [{ var: 'form.email' }, 'form.email', 'nadie'] }, '/if/1', /"form.email" is a text here/],
      [{ if: ['mine', 'a', 'b'] }, '/if/0', /"mine" is not a condition/],
      [{ or: ['nadie', { var: 'form.email' }] }, '/or/0', /"nadie" is not a condition/],
    ].map(([email, place, message]) => ({
      note: `a text instead of a variable (${JSON.stringify(email)})`,
      change: (c: Content) => (c.states.form.on.submit.onDone[0].assign = { email }),
      pointer: `/states/form/on/submit/onDone/0/assign/email${String(place)}`,
      message: message as RegExp,
    })),
  ])('[ANA-02] report once, in case %#, $note', async ({ change, pointer, message, hint = '' }) => {
    const { problems } = await loadProject(changeSample('flows/main.json', change));
    expect(problems, JSON.stringify(problems, null, 1)).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      pointer,
      message: expect.stringMatching(message) as string,
      hint: expect.stringContaining(hint) as string,
    });
  });

  test('leave plain texts unchanged, and count the variables in them as read', async () => {
    const { 'schemas/form/ui.json': ui } = changeSample('schemas/form/ui.json', (c: Content) => {
      c.fields.extra['ui:options'] = { unit: 'user.name' };
      c.title = 'Formulario {emails}';
      c.visible.extra = { var: 'context.emaila' };
    });
    const { problems } = await loadProject({
      ...changeSample('flows/main.json', (c: Content) => {
        const email = {
          or: [{ var: 'form.email' }, { if: [{ '==': [{ var: 'form.kind' }, 'www.gub.uy'] }, 'a', 'nadie'] }],
        };
        c.states.form.on.submit.onDone[0].assign = { email: { cat: [email, 'form.email'] }, emails: 2, emaila: 3 };
        c.states.form.chrome = { if: [{ var: 'flags.on' }, 'full', 'none'] };
        c.states.done.requires.guard = { '!': { missing: ['context.email'] } };
      }),
      'schemas/form/ui.json': ui,
    });
    expect(problems).toEqual([]);
  });

  test('treat a word as a fact if the facts are unknown', async () => {
    const project = await writeProject(
      changeSample('flows/main.json', (c: Content) => (c.states.done.requires.guard = { '!': 'citizen' })),
    );
    const { flows } = await loadUncheckedDefinitions({ root: project.folder, baseLanguage: 'es' }).finally(
      project.remove,
    );
    expect(flows[0]?.states.done?.requires?.guard).toEqual({ '!': { var: 'citizen' } });
  });

  test.each<[string, string, (ui: Content) => unknown]>([
    [
      '/visible/extra',
      'Write a rule in JSON-logic, e.g. { "var": "flags.on" }.',
      (ui) => (ui.visible.extra = 'flags.on'),
    ],
    [
      '/actions/0/visible',
      'Write { "==": [{ "var": "form.kind" }, "a"] }: the short form',
      (ui) => (ui.actions[0].visible = { 'form.kind': 'a' }),
    ],
    [
      '/visible/extra/and/0',
      'Write { "and": [{ "in": [{ "var": "form.kind" }, ["a"]] }, …] }: the short form',
      (ui) => (ui.visible.extra = { and: [{ 'form.kind': ['a'], 'form.extra': 'b' }] }),
    ],
  ])('[ANA-02] are rejected in a screen with what to write instead: %s', async (pointer, hint, change) => {
    const { problems } = await loadProject(changeSample('schemas/form/ui.json', change));
    expect(problems).toContainEqual(
      expect.objectContaining({ pointer, hint: expect.stringContaining(hint) as string }),
    );
  });
});
