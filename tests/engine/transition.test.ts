import { describe, expect, test } from 'vitest';
import type {
  TransitionBranch,
  OperationInvocation,
  Flow,
  StateDefinition,
} from '../../src/engine/core/flow-and-screen-types.ts';
import {
  listDirectBranches,
  renderCarriedValues,
  buildOperationRequest,
  chooseFirstTrueBranch,
  computeEventDelay,
  findTransitionInvocation,
  resolveEnteredState,
  renderPrefillValues,
  createFlowRuleData,
  type FlowRuleScope,
} from '../../src/engine/core/transition.ts';

const flowOf = (states: Readonly<Record<string, StateDefinition>> = {}, more: Partial<Flow> = {}): Flow => ({
  id: 'main',
  initial: 'a',
  states,
  ...more,
});
const scope = (more: Partial<FlowRuleScope> = {}): FlowRuleScope => ({
  context: { kept: 1 },
  facts: { flags: { on: true } },
  ...more,
});

test('[ENG-02] createFlowRuleData contains facts, form, context, result and error, which no fact can replace', () => {
  expect(createFlowRuleData(scope())).toEqual({
    flags: { on: true },
    form: {},
    context: { kept: 1 },
    result: null,
    error: null,
  });
  expect(createFlowRuleData(scope({ form: { a: 1 }, result: { b: 2 }, error: { c: 3 } }))).toEqual({
    flags: { on: true },
    form: { a: 1 },
    context: { kept: 1 },
    result: { b: 2 },
    error: { c: 3 },
  });
  expect(createFlowRuleData(scope({ facts: { context: 'x', form: 'x', result: 'x', error: 'x' } }))).toEqual({
    form: {},
    context: { kept: 1 },
    result: null,
    error: null,
  });
});

describe('[ENG-02] chooseFirstTrueBranch', () => {
  const nothing = { clear: [], notice: undefined, field: false, target: undefined, leave: undefined };

  test('takes the first branch whose guard is true', () => {
    const branches: TransitionBranch[] = [
      { guard: { var: 'flags.off' }, target: 'x' },
      { guard: { var: 'flags.on' }, target: 'y' },
      { target: 'z' },
    ];
    expect(chooseFirstTrueBranch(flowOf(), branches, scope())).toEqual({
      ...nothing,
      context: { kept: 1 },
      target: 'y',
    });
    expect(chooseFirstTrueBranch(flowOf(), branches, scope({ facts: {} }))).toMatchObject({ target: 'z' });
  });

  test('changes nothing if no guard is true', () => {
    expect(chooseFirstTrueBranch(flowOf(), [{ guard: false, assign: { kept: 2 } }], scope())).toEqual({
      context: { kept: 1 },
      clear: [],
      field: false,
    });
  });

  test('adds assigned variables, computed from the previous ones', () => {
    const branch: TransitionBranch = {
      assign: { added: { '+': [{ var: 'context.kept' }, { var: 'result.n' }] }, kept: 'new' },
    };
    expect(chooseFirstTrueBranch(flowOf(), [branch], scope({ result: { n: 4 } }))).toEqual({
      ...nothing,
      context: { kept: 'new', added: 5 },
    });
  });

  test('returns the fields to clear, the notice, the field flag and the address to leave to', () => {
    const branch: TransitionBranch = { clear: ['/secret'], notice: 'again', field: true, leave: { var: 'result.to' } };
    expect(chooseFirstTrueBranch(flowOf(), [branch], scope({ result: { to: '/out' } }))).toEqual({
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
  ])('maps the challenge %j to the state %s', (challenge, target) => {
    const flow = flowOf({}, { challenges: { totp: 'code', 7: 'number', '*': 'unknown' } });
    const branch: TransitionBranch = { challenge: { var: 'result.challenge' }, target: 'x' };
    expect(chooseFirstTrueBranch(flow, [branch], scope({ result: { challenge } })).target).toBe(target);
  });

  test('returns no target for a challenge in a flow without challenges', () => {
    expect(chooseFirstTrueBranch(flowOf(), [{ challenge: 'totp' }], scope()).target).toBeUndefined();
  });
});

describe('[ENG-02] resolveEnteredState', () => {
  const decide = (...always: TransitionBranch[]): StateDefinition => ({ always });

  test('returns the state itself if its guard is true or absent and it has no `always`', () => {
    expect(resolveEnteredState(flowOf({ a: {} }), 'a', scope())).toEqual({
      context: { kept: 1 },
      clear: [],
      field: false,
      target: 'a',
    });
    expect(
      resolveEnteredState(flowOf({ a: { requires: { guard: { var: 'flags.on' }, else: 'b' } }, b: {} }), 'a', scope())
        .target,
    ).toBe('a');
  });

  test('follows the else states of refused entries', () => {
    const no = { var: 'context.none' };
    const flow = flowOf({
      a: { requires: { guard: no, else: 'b' }, always: [{ target: 'x' }] },
      b: { requires: { guard: no, else: 'c' } },
      c: {},
      x: {},
    });
    expect(resolveEnteredState(flow, 'a', scope()).target).toBe('c');
  });

  test('follows `always` through transient states with their assignments', () => {
    const flow = flowOf({
      a: decide({ assign: { one: 1 }, target: 'b' }),
      b: decide(
        { guard: { var: 'context.one' }, assign: { two: { '+': [{ var: 'context.one' }, 1] } }, target: 'c' },
        { target: 'x' },
      ),
      c: { requires: { guard: { '==': [{ var: 'context.two' }, 2] }, else: 'x' } },
      x: {},
    });
    expect(resolveEnteredState(flow, 'a', scope())).toMatchObject({
      target: 'c',
      context: { kept: 1, one: 1, two: 2 },
    });
  });

  test('returns the last notice on the path', () => {
    const flow = flowOf({
      a: decide({ notice: 'first', target: 'b' }),
      b: decide({ target: 'c' }),
      c: decide({ notice: 'third', target: 'd' }),
      d: {},
    });
    expect(resolveEnteredState(flow, 'b', scope()).notice).toBe('third');
    expect(resolveEnteredState({ ...flow, states: { ...flow.states, c: {} } }, 'a', scope()).notice).toBe('first');
  });

  test('stops at a state whose `always` only assigns or leaves', () => {
    const flow = flowOf({
      a: decide({ target: 'b' }),
      b: decide({ assign: { one: 1 } }),
      c: decide({ leave: '/out', target: 'a' }),
      d: decide({ leave: null, target: 'a' }),
    });
    expect(resolveEnteredState(flow, 'a', scope())).toMatchObject({ target: 'b', context: { kept: 1, one: 1 } });
    expect(resolveEnteredState(flow, 'c', scope())).toMatchObject({ target: 'c', leave: '/out' });
    expect(resolveEnteredState(flow, 'd', scope())).toMatchObject({ target: 'd', leave: null });
  });

  test('returns a state that the flow does not have', () => {
    expect(resolveEnteredState(flowOf({ a: decide({ notice: 'gone', target: 'newer' }) }), 'a', scope())).toMatchObject(
      {
        target: 'newer',
        notice: 'gone',
      },
    );
    expect(resolveEnteredState(flowOf({}), 'newer', scope()).target).toBe('newer');
  });

  test('follows a path through every state, and ends in a cycle', () => {
    const chain = flowOf({
      a: decide({ target: 'b' }),
      b: { requires: { guard: false, else: 'c' } },
      c: decide({ target: 'd', assign: { end: true } }),
      d: decide({ assign: { there: true } }),
    });
    expect(resolveEnteredState(chain, 'a', scope())).toMatchObject({
      target: 'd',
      context: { end: true, there: true },
    });
    const circle = flowOf({ a: decide({ target: 'b', notice: 'round' }), b: decide({ target: 'a' }) });
    expect(resolveEnteredState(circle, 'a', scope()).notice).toBe('round');
  });
});

describe('[ENG-02] transition', () => {
  const effect: OperationInvocation = { src: 'save', onDone: [{ target: 'b' }], onError: [{ field: true }] };

  test('is read as an operation, one branch or several branches', () => {
    expect([findTransitionInvocation(effect), listDirectBranches(effect)]).toEqual([effect, []]);
    expect([findTransitionInvocation({ target: 'b' }), listDirectBranches({ target: 'b' })]).toEqual([
      null,
      [{ target: 'b' }],
    ]);
    expect([
      findTransitionInvocation([{ target: 'b' }, { target: 'c' }]),
      listDirectBranches([{ target: 'b' }, { target: 'c' }]),
    ]).toEqual([null, [{ target: 'b' }, { target: 'c' }]]);
  });

  test('builds a call with the form values, or with the declared input and parameters', () => {
    const form = { a: 1, id: 7 };
    expect(buildOperationRequest(effect, scope({ form }))).toEqual({ name: 'save', params: {}, body: form });
    expect(
      buildOperationRequest(
        {
          ...effect,
          input: { only: { var: 'form.a' } },
          params: { id: { var: 'form.id' }, gone: { var: 'form.none' } },
        },
        scope({ form }),
      ),
    ).toEqual({ name: 'save', params: { id: '7', gone: '' }, body: { only: 1 } });
    expect(buildOperationRequest({ ...effect, input: null }, scope({ form })).body).toBeNull();
  });

  test('prefills the form of a state with its declared values', () => {
    expect(renderPrefillValues({ prefill: { a: { var: 'context.kept' }, b: ['x'] } }, scope())).toEqual({
      a: 1,
      b: ['x'],
    });
    expect(renderPrefillValues({}, scope())).toEqual({});
  });
});

describe('computeDelay', () => {
  const now = new Date('2026-11-27T10:00:00Z');
  const ends = (at: unknown, more: object = {}): StateDefinition =>
    ({ after: { at, event: 'end', ...more } }) as StateDefinition;

  test('returns the time until the event, less secondsBefore, or 0 if that has passed', () => {
    expect(computeEventDelay(ends('2026-11-27T10:01:00Z'), scope(), now)).toBe(60_000);
    expect(computeEventDelay(ends('2026-11-27T10:01:00Z', { secondsBefore: 20 }), scope(), now)).toBe(40_000);
    expect(computeEventDelay(ends('2026-11-27T10:01:00Z', { secondsBefore: 90 }), scope(), now)).toBe(0);
    const fact = scope({ context: { ends: '2026-11-27T10:00:01Z' } });
    expect(computeEventDelay(ends({ var: 'context.ends' }), fact, now)).toBe(1000);
  });

  test.each([['2026-11-27T10:00:00Z'], ['2026-11-27T09:00:00Z'], ['none'], [1_900_000_000_000], [null]])(
    'returns null for the time %j',
    (at) => {
      expect(computeEventDelay(ends(at), scope(), now)).toBeNull();
    },
  );

  test('returns null for a state without a delayed event', () => {
    expect(computeEventDelay({}, scope(), now)).toBeNull();
  });
});

test('renderCarriedValues returns the values to carry, or undefined if one of them is missing', () => {
  const carry = { document: { var: 'form.document' }, country: 'uy' };
  const left = (form: Record<string, string>, own: StateDefinition['carry'] = carry) =>
    renderCarriedValues({ carry: own } as StateDefinition, scope({ form }));
  expect(left({ document: '1' })).toEqual({ document: '1', country: 'uy' });
  expect([left({}), left({ document: '' }), left({ document: '1' }, {}), renderCarriedValues({}, scope())]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
