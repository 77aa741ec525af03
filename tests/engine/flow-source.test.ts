import { describe, expect, test } from 'vitest';
import { findNearestName } from '../../src/engine/compiler/sources/localized-text.ts';
import { formatProblem } from '../../src/engine/compiler/definitions.ts';
import { changeSample, loadProject, copyAsTranslation } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

/** The sample project with a flow that uses named definitions wherever possible. */
const flow = (change: (content: Content) => void = () => undefined) =>
  changeSample('flows/main.json', (content: Content) => {
    Object.assign(content, {
      area: 'The start',
      description: 'All of it',
      access: 'citizen',
      context: content.context,
      delays: { late: { description: 'Soon over', at: { var: 'context.end' }, secondsBefore: 9 } },
      guards: {
        known: { var: 'context.email' },
        twice: { description: 'A second try', guard: { '==': [{ var: 'error.code' }, 'again'] } },
      },
      params: { own: { id: { var: 'user.id' } } },
      inputs: { mail: { email: { var: 'context.email' }, copy: false } },
      assigns: { mail: { email: { var: 'form.email' } }, time: { end: { var: 'result.end' } } },
      states: {
        form: {
          description: 'The first one',
          path: '/form',
          screen: 'form',
          after: { late: { notice: 'again' } },
          on: {
            submit: {
              description: 'Sends',
              src: 'save',
              params: 'own',
              input: ['mail', { copy: true }],
              onDone: { description: 'Sent', assign: ['mail', 'time', { end: 'now' }], target: 'done' },
              onError: [{ guard: 'twice', notice: 'again' }, 'done'],
            },
          },
        },
        quick: {
          path: '/quick',
          access: 'account',
          invoke: { src: 'save', input: 'mail', onDone: 'done', onError: { field: true } },
        },
        done: { path: '/done', requires: { guard: 'known', else: 'form' }, always: 'late' },
        late: { screen: 'done', requires: { guard: { var: 'context.end' }, else: 'form' }, always: { assign: 'time' } },
      },
    });
    content.assigns.time = { end: { var: 'context.end' } };
    change(content);
  });

describe('[ENG-02] flow file', () => {
  test('compiles to a flow without named parts, descriptions and short forms', async () => {
    const { definitions, problems } = await loadProject(flow());
    expect(problems).toEqual([]);
    const next = { guard: { var: 'error.next' }, leave: { var: 'error.next' } };
    expect(definitions?.flows.main).toEqual({
      id: 'main',
      initial: 'form',
      context: { email: { from: 'result', persist: true }, end: { from: 'result' } },
      states: {
        form: {
          path: '/form',
          access: 'citizen',
          screen: 'form',
          after: { at: { var: 'context.end' }, secondsBefore: 9, event: 'late' },
          on: {
            late: { notice: 'again' },
            submit: {
              src: 'save',
              params: { id: { var: 'user.id' } },
              input: { email: { var: 'context.email' }, copy: true },
              onDone: [{ assign: { email: { var: 'form.email' }, end: 'now' }, target: 'done' }],
              onError: [
                next,
                { guard: { '==': [{ var: 'error.code' }, 'again'] }, notice: 'again' },
                { target: 'done' },
              ],
            },
          },
        },
        quick: {
          path: '/quick',
          access: 'account',
          invoke: {
            src: 'save',
            input: { email: { var: 'context.email' }, copy: false },
            onDone: [{ target: 'done' }],
            onError: [next, { field: true }],
          },
        },
        done: {
          path: '/done',
          access: 'citizen',
          requires: { guard: { var: 'context.email' }, else: 'form' },
          always: [{ target: 'late' }],
        },
        late: {
          screen: 'done',
          requires: { guard: { var: 'context.end' }, else: 'form' },
          always: [{ assign: { end: { var: 'context.end' } } }],
        },
      },
    });
  });

  test('has its descriptions beside the compiled flow', async () => {
    const { definitions } = await loadProject(
      flow((c) => {
        c.states.around = { description: 'Both ends', states: { done: c.states.done, late: c.states.late } };
        c.states.around.states.late.description = 'The last one';
        delete c.states.done;
        delete c.states.late;
      }),
    );
    expect(definitions?.descriptions.main).toEqual({
      area: 'The start',
      flow: 'All of it',
      states: { form: 'The first one', done: 'Both ends', late: 'The last one' },
      guards: [{ guard: { '==': [{ var: 'error.code' }, 'again'] }, description: 'A second try' }],
    });
  });

  test.each([
    ['operation', '/states/form/on/submit/onDone', (c: Content) => (c.states.form.on.submit.onDone = 'fin'), 'Sends'],
    ['state', '/states/form/screen', (c: Content) => (c.states.form.screen = 'fin'), 'The first one'],
    ['none from the flow', '/states/quick/invoke/src', (c: Content) => (c.states.quick.invoke.src = 'fin'), undefined],
  ])('reports a problem with the description of the nearest part: %s', async (_, pointer, change, description) => {
    const { problems } = await loadProject(flow(change));
    const [problem] = problems.filter((found) => found.pointer.startsWith(pointer));
    expect(problem?.description).toBe(description);
    expect(problem && formatProblem(problem).includes(` ("${description}") `)).toBe(description !== undefined);
  });

  test('does not append its onError to an operation that handles every error', async () => {
    const { definitions, problems } = await loadProject(
      flow((c) => {
        c.onError = { notice: 'again' };
        delete c.states.quick.invoke.onError;
        c.states.quick.screen = 'form';
        c.states.quick.on = { submit: 'done' };
      }),
    );
    expect(problems).toEqual([]);
    const { form, quick } = definitions?.flows.main?.states ?? {};
    expect(form?.on?.submit).toMatchObject({ onError: [{}, { notice: 'again' }, { target: 'done' }] });
    expect(quick?.invoke?.onError.slice(1)).toEqual([{ notice: 'again' }]);
  });

  test.each([
    {
      note: 'an unknown guard, with a similar name',
      change: (c: Content) => (c.states.done.requires.guard = 'knwon'),
      pointer: '/states/done/requires/guard',
      message: 'The flow has no guards "knwon".',
      hint: 'Did you mean "known"? Known: known, twice, user, authenticated.',
    },
    {
      note: 'an unknown guard, with no similar name',
      change: (c: Content) => (c.states.form.on.submit.onError[0].guard = 'constructor'),
      pointer: '/states/form/on/submit/onError/0/guard',
      message: 'The flow has no guards "constructor".',
      hint: 'Known: known, twice, user, authenticated.',
    },
    {
      note: 'an unknown input',
      change: (c: Content) => (c.states.quick.invoke.input = 'mails'),
      pointer: '/states/quick/invoke/input',
      message: 'The flow has no inputs "mails".',
      hint: 'Did you mean "mail"? Known: mail.',
    },
    {
      note: 'an unknown assignment in a list',
      change: (c: Content) => (c.states.form.on.submit.onDone.assign[1] = 'tmie'),
      pointer: '/states/form/on/submit/onDone/assign/1',
      message: 'The flow has no assigns "tmie".',
      hint: 'Did you mean "time"? Known: mail, time.',
    },
    {
      note: 'an unknown delay',
      change: (c: Content) => (c.states.form.after = { latte: { notice: 'again' } }),
      pointer: '/states/form/after/latte',
      message: 'The flow has no delays "latte".',
      hint: 'Did you mean "late"? Known: late.',
    },
    {
      note: 'a name in a flow without named inputs',
      change: (c: Content) => {
        delete c.inputs;
        c.states.form.on.submit.input = {};
      },
      pointer: '/states/quick/invoke/input',
      message: 'The flow has no inputs "mail".',
      hint: 'Known: none.',
    },
    {
      note: 'an unused guard',
      change: (c: Content) => (c.guards.spare = { var: 'context.end' }),
      pointer: '/guards/spare',
      message: 'Nothing uses "spare" of "guards".',
      hint: 'Use it as "guard": "spare", or remove it.',
    },
    {
      note: 'an unused input',
      change: (c: Content) => (c.inputs.spare = {}),
      pointer: '/inputs/spare',
      message: 'Nothing uses "spare" of "inputs".',
      hint: 'Use it as "input": "spare", or remove it.',
    },
    {
      note: 'unused parameters',
      change: (c: Content) => (c.params.spare = {}),
      pointer: '/params/spare',
      message: 'Nothing uses "spare" of "params".',
      hint: 'Use it as "params": "spare", or remove it.',
    },
    {
      note: 'unknown parameters',
      change: (c: Content) => (c.states.form.on.submit.params = 'owm'),
      pointer: '/states/form/on/submit/params',
      message: 'The flow has no params "owm".',
      hint: 'Did you mean "own"? Known: own.',
    },
    {
      note: 'an unused assignment',
      change: (c: Content) => (c.assigns.spare = {}),
      pointer: '/assigns/spare',
      message: 'Nothing uses "spare" of "assigns".',
      hint: 'Use it as "assign": "spare", or remove it.',
    },
    {
      note: 'an unused delay',
      change: (c: Content) => (c.delays.spare = { at: { var: 'context.end' } }),
      pointer: '/delays/spare',
      message: 'Nothing uses "spare" of "delays".',
      hint: 'Use it as "after": { "spare": … }, or remove it.',
    },
    {
      note: 'a named guard on an unknown variable',
      change: (c: Content) => (c.guards.known = { var: 'error.code' }),
      pointer: '/guards/known',
      message: 'The variable "error.code" does not exist.',
      hint: '"error" is the response of an operation and can be read only in "onError".',
    },
    {
      note: 'a misspelt state',
      change: (c: Content) => (c.states.quick.invoke.onDone = { target: 'don' }),
      pointer: '/states/quick/invoke/onDone/target',
      message: 'There is no state "don".',
      hint: 'Did you mean "done"? States: form, quick, done, late.',
    },
    {
      note: 'a misspelt operation',
      change: (c: Content) => (c.states.quick.invoke.src = 'safe'),
      pointer: '/states/quick/invoke/src',
      message: 'There is no operation "safe".',
      hint: 'Did you mean "save"? Name an operation of the contract.',
    },
    {
      note: 'a misspelt variable',
      change: (c: Content) => (c.states.form.on.submit.onDone.assign[2] = { end: { var: 'context.emial' } }),
      pointer: '/states/form/on/submit/onDone/assign/end',
      message: 'The variable "context.emial" does not exist.',
      hint: 'Did you mean "email"? Assign it, or declare it in "context". Known: email, end.',
    },
    {
      note: 'a misspelt fact',
      change: (c: Content) => (c.guards.known = { var: 'flags.onn' }),
      pointer: '/guards/known',
      message: 'The variable "flags.onn" does not exist.',
      hint: 'Did you mean "flags.on"? Known: form.<field>, context.<name>, flags.on, user, authenticated.',
    },
    {
      note: 'an unknown state',
      change: (c: Content) => (c.states.quick.invoke.onDone = 'fin'),
      pointer: '/states/quick/invoke/onDone/target',
      message: 'There is no state "fin".',
      hint: 'States: form, quick, done, late.',
    },
  ])('[ANA-02] reports once $note', async ({ change, pointer, message, hint }) => {
    const { problems } = await loadProject(flow(change));
    // Ignores the warning that the correct name is now unused.
    expect(
      problems.filter(
        (problem) => !/^Nothing uses|^Nothing on the screen/.test(problem.message) || problem.message === message,
      ),
    ).toMatchObject([{ file: 'flows/main.json', pointer, hint }]);
  });
});

describe('[ENG-02] state with nested states', () => {
  const outer = {
    requires: { guard: { var: 'context.email' }, else: 'form' },
    always: { guard: { var: 'flags.on' }, target: 'form' },
    on: { again: 'form' },
    states: {
      last: { path: '/last', screen: 'deep', always: { guard: { var: 'user' }, target: 'form' }, on: { more: 'deep' } },
      within: { states: { deep: { screen: 'deep', requires: { guard: { var: 'context.end' }, else: 'last' } } } },
    },
  };
  const nested = (change: (own: Content) => void = () => undefined, content = structuredClone(outer)) => {
    change(content);
    const files = flow((c) => {
      c.states.outer = content;
      c.states.form.on.submit.onDone.target = 'last';
    });
    const ui = { title: 'More', actions: [event('again'), event('more')] };
    return { ...files, 'schemas/deep/ui.json': ui, 'schemas/deep/ui.pt.json': copyAsTranslation(ui) };
  };
  const event = (name: string) => ({ event: name, text: name });

  test('passes its keys to each nested state that does not override them, and is not a state itself', async () => {
    const { definitions, problems } = await loadProject(nested((own) => (own.states.within.on = { more: 'last' })));
    expect(problems).toEqual([]);
    const states = definitions?.flows.main?.states ?? {};
    expect(Object.keys(states)).toEqual(['form', 'quick', 'done', 'late', 'last', 'deep']);
    expect(states.last).toEqual({
      path: '/last',
      access: 'citizen',
      screen: 'deep',
      requires: outer.requires,
      always: [outer.states.last.always, outer.always],
      on: { again: { target: 'form' }, more: { target: 'deep' } },
    });
    expect(states.deep).toEqual({
      screen: 'deep',
      requires: { guard: { var: 'context.end' }, else: 'last' },
      always: [outer.always],
      on: { again: { target: 'form' }, more: { target: 'last' } },
    });
  });

  test.each([
    {
      note: 'a mistake at the outer state',
      change: (own: Content) => (own.requires.guard = { var: 'context.nobody' }),
      pointer: '/states/outer/requires/guard',
      message: /"context.nobody" does not exist/,
    },
    {
      note: 'an event that no nested screen raises',
      change: (own: Content) => (own.on.never = 'form'),
      pointer: '/states/outer/on/never',
      message: /raises "never"/,
    },
    {
      note: 'a mistake at the nested state',
      change: (own: Content) => (own.states.within.states.deep.requires.else = 'nobody'),
      pointer: '/states/outer/states/within/states/deep/requires/else',
      message: /no state "nobody"/,
    },
    {
      note: 'an event that both states handle',
      change: (own: Content) => (own.states.last.on.again = 'deep'),
      pointer: '/states/outer/states/last/on/again',
      message: /A parent state already handles "again"/,
    },
    {
      note: 'a duplicate state name',
      change: (own: Content) => (own.states.within.states.form = own.states.within.states.deep),
      pointer: '/states/outer/states/within/states/form',
      message: /There are two states "form"/,
    },
  ])('reports $note', async ({ change, pointer, message }) => {
    const { problems } = await loadProject(
      nested((own) => {
        own.states.within.on = { more: 'last' };
        change(own);
      }),
    );
    expect(problems.filter((problem) => message.test(problem.message)).map((problem) => problem.pointer)).toEqual([
      pointer,
    ]);
  });
});

describe('[ANA-02] flow file in another version of the format', () => {
  const address = (number: string) => `../schemas/_formats/flow${number}.schema.json`;

  test.each([
    {
      note: 'the version of its $schema',
      change: (c: Content) => (c.$schema = address('')),
      problem: {
        pointer: '/$schema',
        message: 'This file uses another version of the format than the portal: flow.schema.json.',
        hint: /Name flow\.4\.schema\.json/,
      },
    },
    {
      note: 'a later version',
      change: (c: Content) => (c.$schema = address('.5')),
      problem: {
        pointer: '/$schema',
        message: 'This file uses another version of the format than the portal: flow.5.schema.json.',
        hint: /Name flow\.4\.schema\.json/,
      },
    },
    {
      note: 'invoke in an event',
      change: (c: Content) => {
        const { src, ...rest } = c.states.form.on.submit;
        c.states.form.on.submit = { invoke: src, ...rest };
      },
      problem: {
        pointer: '/states/form/on/submit/invoke',
        message: '"invoke" is allowed only in a state, which calls it on entry.',
        hint: /"src"/,
      },
    },
  ])('reports one problem, with the replacement, for $note', async ({ change, problem }) => {
    const { problems } = await loadProject(flow(change));
    expect(problems).toHaveLength(1);
    expect(problems).toMatchObject([{ ...problem, hint: expect.stringMatching(problem.hint) as string }]);
  });

  test('is accepted in the current version', async () => {
    expect((await loadProject(flow((c) => (c.$schema = address('.4'))))).problems).toEqual([]);
  });
});

test.each([
  ['cancel', 'cancelar', 'cancelar'],
  ['canselar', 'cancelar', 'cancelar'],
  ['CANCELAR', 'cancelar', 'cancelar'],
  ['a', 'b', 'b'],
  ['ab', 'cd', undefined],
  ['respuestas', 'respuesta', 'respuesta'],
])('findNearestName for "%s" among the names %s returns %s', (wrong, known, found) => {
  expect(findNearestName(wrong, [known])).toBe(found);
});
