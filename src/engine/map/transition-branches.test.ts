import { describe, expect, test } from 'vitest';
import type { Flow } from '../core/flow-and-screen-types.ts';
import { listTransitionArrows, addChallengeNode, challengeNode } from './transition-branches.ts';

const flow: Flow = {
  id: 'sample',
  initial: 'first',
  challenges: { code: 'second', '*': 'third' },
  states: {
    first: {
      requires: { guard: { var: 'user' }, else: 'third' },
      on: { submit: { src: 'send', onDone: [{ challenge: { var: 'result.challenge' } }], onError: [{ field: true }] } },
    },
    second: {
      always: [{ guard: { var: 'context.x' }, target: 'fourth', notice: 'moved' }],
      on: { cancel: { leave: '/' } },
      back: 'first',
    },
    third: { back: 'history' },
    fourth: {},
    alone: { path: '/alone', on: { on: { target: 'beyond' } } },
    beyond: {},
  },
};

describe('[QA+GALERIA] listTransitionArrows', () => {
  test('lists the transitions of each state, and those of named challenges once', () => {
    const ways = (node: string) =>
      listTransitionArrows(addChallengeNode(flow)[node]!).map(({ branch: _, ...arrow }) => arrow);
    expect(ways('first')).toEqual([
      { on: 'requires', guard: { var: 'user' }, target: 'third', leaves: false },
      { on: 'submit', operation: 'send', outcome: 'done', target: challengeNode, leaves: false },
      { on: 'submit', operation: 'send', outcome: 'failed', leaves: false },
    ]);
    expect(ways(challengeNode)).toEqual([
      { on: 'code', target: 'second', leaves: false },
      { on: '*', target: 'third', leaves: false },
    ]);
    expect(ways('second')).toEqual([
      { on: 'always', guard: { var: 'context.x' }, target: 'fourth', notice: 'moved', leaves: false },
      { on: 'cancel', leaves: true },
      { on: 'back', target: 'first', leaves: false },
    ]);
    expect(ways('third')).toEqual([]);
  });
});
