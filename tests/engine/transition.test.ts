import { describe, expect, test } from 'vitest';
import type { Branch, Effect, Flow, State } from '../../src/engine/core/definition.ts';
import {
  listBranches,
  renderCarry,
  buildCall,
  chooseBranch,
  computeDelay,
  findEffect,
  resolveEntry,
  renderPrefill,
  createRuleData,
  type FlowScope,
} from '../../src/engine/core/transition.ts';

const flowOf = (states: Readonly<Record<string, State>> = {}, more: Partial<Flow> = {}): Flow => ({
  id: 'main',
  initial: 'a',
  states,
  ...more,
});
const scope = (more: Partial<FlowScope> = {}): FlowScope => ({
  context: { kept: 1 },
  facts: { flags: { on: true } },
  ...more,
});

test('[ENG-02] a rule sees the facts, the form, the variables, the result and the error; what there is not is empty', () => {
  expect(createRuleData(scope())).toEqual({
    flags: { on: true },
    form: {},
    context: { kept: 1 },
    result: null,
    error: null,
  });
  expect(createRuleData(scope({ form: { a: 1 }, result: { b: 2 }, error: { c: 3 } }))).toEqual({
    flags: { on: true },
    form: { a: 1 },
    context: { kept: 1 },
    result: { b: 2 },
    error: { c: 3 },
  });
  expect(createRuleData(scope({ facts: { context: 'x', form: 'x', result: 'x', error: 'x' } }))).toEqual({
    form: {},
    context: { kept: 1 },
    result: null,
    error: null,
  });
});

describe('[ENG-02] the branch that is taken', () => {
  const nothing = { clear: [], notice: undefined, field: false, target: undefined, leave: undefined };

  test('is the first whose guard holds', () => {
    const branches: Branch[] = [
      { guard: { var: 'flags.off' }, target: 'x' },
      { guard: { var: 'flags.on' }, target: 'y' },
      { target: 'z' },
    ];
    expect(chooseBranch(flowOf(), branches, scope())).toEqual({ ...nothing, context: { kept: 1 }, target: 'y' });
    expect(chooseBranch(flowOf(), branches, scope({ facts: {} }))).toMatchObject({ target: 'z' });
  });

  test('leaves everything as it is where none holds', () => {
    expect(chooseBranch(flowOf(), [{ guard: false, assign: { kept: 2 } }], scope())).toEqual({
      context: { kept: 1 },
      clear: [],
      field: false,
    });
  });

  test('assigns beside what there was, by what there was', () => {
    const branch: Branch = { assign: { added: { '+': [{ var: 'context.kept' }, { var: 'result.n' }] }, kept: 'new' } };
    expect(chooseBranch(flowOf(), [branch], scope({ result: { n: 4 } }))).toEqual({
      ...nothing,
      context: { kept: 'new', added: 5 },
    });
  });

  test('carries what it empties, its notice, the errors for the fields and where it leaves to', () => {
    const branch: Branch = { clear: ['/secret'], notice: 'again', field: true, leave: { var: 'result.to' } };
    expect(chooseBranch(flowOf(), [branch], scope({ result: { to: '/out' } }))).toEqual({
      context: { kept: 1 },
      clear: ['/secret'],
      notice: 'again',
      field: true,
      target: undefined,
      leave: '/out',
    });
  });

  test.each<[challenge: unknown, target: string | undefined]>([
    ['totp', 'code'],
    ['new', 'unknown'],
    ['constructor', 'unknown'],
    [7, 'unknown'],
    [undefined, 'unknown'],
  ])('goes to the state of the challenge %j: %s', (challenge, target) => {
    const flow = flowOf({}, { challenges: { totp: 'code', 7: 'number', '*': 'unknown' } });
    const branch: Branch = { challenge: { var: 'result.challenge' }, target: 'x' };
    expect(chooseBranch(flow, [branch], scope({ result: { challenge } })).target).toBe(target);
  });

  test('goes nowhere by a challenge in a flow without steps', () => {
    expect(chooseBranch(flowOf(), [{ challenge: 'totp' }], scope()).target).toBeUndefined();
  });
});

describe('[ENG-02] where entering a state leads', () => {
  const decide = (...always: Branch[]): State => ({ always });

  test('to itself, where nothing speaks against it or decides', () => {
    expect(resolveEntry(flowOf({ a: {} }), 'a', scope())).toEqual({
      context: { kept: 1 },
      clear: [],
      field: false,
      target: 'a',
    });
    expect(
      resolveEntry(flowOf({ a: { requires: { guard: { var: 'flags.on' }, else: 'b' } }, b: {} }), 'a', scope()).target,
    ).toBe('a');
  });

  test('past a refused entry, and past the next', () => {
    const no = { var: 'context.none' };
    const flow = flowOf({
      a: { requires: { guard: no, else: 'b' }, always: [{ target: 'x' }] },
      b: { requires: { guard: no, else: 'c' } },
      c: {},
      x: {},
    });
    expect(resolveEntry(flow, 'a', scope()).target).toBe('c');
  });

  test('past states that decide, with what they assign on the way', () => {
    const flow = flowOf({
      a: decide({ assign: { one: 1 }, target: 'b' }),
      b: decide(
        { guard: { var: 'context.one' }, assign: { two: { '+': [{ var: 'context.one' }, 1] } }, target: 'c' },
        { target: 'x' },
      ),
      c: { requires: { guard: { '==': [{ var: 'context.two' }, 2] }, else: 'x' } },
      x: {},
    });
    expect(resolveEntry(flow, 'a', scope())).toMatchObject({ target: 'c', context: { kept: 1, one: 1, two: 2 } });
  });

  test('with the last notice on the way', () => {
    const flow = flowOf({
      a: decide({ notice: 'first', target: 'b' }),
      b: decide({ target: 'c' }),
      c: decide({ notice: 'third', target: 'd' }),
      d: {},
    });
    expect(resolveEntry(flow, 'b', scope()).notice).toBe('third');
    expect(resolveEntry({ ...flow, states: { ...flow.states, c: {} } }, 'a', scope()).notice).toBe('first');
  });

  test('to a state whose branch assigns and stays, or leaves', () => {
    const flow = flowOf({
      a: decide({ target: 'b' }),
      b: decide({ assign: { one: 1 } }),
      c: decide({ leave: '/out', target: 'a' }),
      d: decide({ leave: null, target: 'a' }),
    });
    expect(resolveEntry(flow, 'a', scope())).toMatchObject({ target: 'b', context: { kept: 1, one: 1 } });
    expect(resolveEntry(flow, 'c', scope())).toMatchObject({ target: 'c', leave: '/out' });
    expect(resolveEntry(flow, 'd', scope())).toMatchObject({ target: 'd', leave: null });
  });

  test('to a state that the flow does not have', () => {
    expect(resolveEntry(flowOf({ a: decide({ notice: 'gone', target: 'newer' }) }), 'a', scope())).toMatchObject({
      target: 'newer',
      notice: 'gone',
    });
    expect(resolveEntry(flowOf({}), 'newer', scope()).target).toBe('newer');
  });

  test('through every state of a flow, and not for ever through a circle', () => {
    const chain = flowOf({
      a: decide({ target: 'b' }),
      b: { requires: { guard: false, else: 'c' } },
      c: decide({ target: 'd', assign: { end: true } }),
      d: decide({ assign: { there: true } }),
    });
    expect(resolveEntry(chain, 'a', scope())).toMatchObject({ target: 'd', context: { end: true, there: true } });
    const circle = flowOf({ a: decide({ target: 'b', notice: 'round' }), b: decide({ target: 'a' }) });
    expect(resolveEntry(circle, 'a', scope()).notice).toBe('round');
  });
});

describe('[ENG-02] a transition', () => {
  const effect: Effect = { src: 'save', onDone: [{ target: 'b' }], onError: [{ field: true }] };

  test('is an effect, one branch or several', () => {
    expect([findEffect(effect), listBranches(effect)]).toEqual([effect, []]);
    expect([findEffect({ target: 'b' }), listBranches({ target: 'b' })]).toEqual([null, [{ target: 'b' }]]);
    expect([findEffect([{ target: 'b' }, { target: 'c' }]), listBranches([{ target: 'b' }, { target: 'c' }])]).toEqual([
      null,
      [{ target: 'b' }, { target: 'c' }],
    ]);
  });

  test('calls with the form, or with what it says', () => {
    const form = { a: 1, id: 7 };
    expect(buildCall(effect, scope({ form }))).toEqual({ name: 'save', params: {}, body: form });
    expect(
      buildCall(
        {
          ...effect,
          input: { only: { var: 'form.a' } },
          params: { id: { var: 'form.id' }, gone: { var: 'form.none' } },
        },
        scope({ form }),
      ),
    ).toEqual({ name: 'save', params: { id: '7', gone: '' }, body: { only: 1 } });
    expect(buildCall({ ...effect, input: null }, scope({ form })).body).toBeNull();
  });

  test('a form begins with what its state says', () => {
    expect(renderPrefill({ prefill: { a: { var: 'context.kept' }, b: ['x'] } }, scope())).toEqual({ a: 1, b: ['x'] });
    expect(renderPrefill({}, scope())).toEqual({});
  });
});

describe('a delayed event', () => {
  const now = new Date('2026-11-27T10:00:00Z');
  const ends = (at: unknown, more: object = {}): State => ({ after: { at, event: 'end', ...more } }) as State;

  test('comes at its moment, or so long before it; at once where that is past already', () => {
    expect(computeDelay(ends('2026-11-27T10:01:00Z'), scope(), now)).toBe(60_000);
    expect(computeDelay(ends('2026-11-27T10:01:00Z', { secondsBefore: 20 }), scope(), now)).toBe(40_000);
    expect(computeDelay(ends('2026-11-27T10:01:00Z', { secondsBefore: 90 }), scope(), now)).toBe(0);
    const fact = scope({ context: { ends: '2026-11-27T10:00:01Z' } });
    expect(computeDelay(ends({ var: 'context.ends' }), fact, now)).toBe(1000);
  });

  test.each([['2026-11-27T10:00:00Z'], ['2026-11-27T09:00:00Z'], ['none'], [1_900_000_000_000], [null]])(
    'never comes at %j',
    (at) => {
      expect(computeDelay(ends(at), scope(), now)).toBeNull();
    },
  );

  test('is none of a state without one', () => {
    expect(computeDelay({}, scope(), now)).toBeNull();
  });
});

test('a form leaves for other flows what is there as a whole', () => {
  const carry = { document: { var: 'form.document' }, country: 'uy' };
  const left = (form: Record<string, string>, own: State['carry'] = carry) =>
    renderCarry({ carry: own } as State, scope({ form }));
  expect(left({ document: '1' })).toEqual({ document: '1', country: 'uy' });
  expect([left({}), left({ document: '' }), left({ document: '1' }, {}), renderCarry({}, scope())]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
