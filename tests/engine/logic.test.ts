import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/engine/core/json.ts';
import { evaluate, holds, logicProblems, render, ruleProblems, variablesOf } from '../../src/engine/core/logic.ts';

const data = { form: { a: 1, list: [{ n: 1 }, { n: 3 }], text: 'mate' }, context: { empty: [] } };

const results: readonly (readonly [note: string, logic: Json, result: unknown])[] = [
  ['a plain value', 7, 7],
  ['a variable', { var: 'form.a' }, 1],
  ['a variable with a default', { var: ['form.b', 'none'] }, 'none'],
  ['an absent variable', { var: 'form.b' }, null],
  ['an item by index', { var: 'form.list.1.n' }, 3],
  ['the inherited constructor is no variable', { var: 'constructor' }, null],
  ['nor is one of a value', { var: 'form.text.constructor' }, null],
  ['nor the prototype', { var: '__proto__.toString' }, null],
  ['loose equality', { '==': [{ var: 'form.a' }, '1'] }, true],
  ['strict equality', { '===': [{ var: 'form.a' }, '1'] }, false],
  ['if, else if, else', { if: [{ var: 'form.b' }, 'b', { var: 'form.a' }, 'a', 'c'] }, 'a'],
  ['and answers the first false part', { and: [1, 0, 2] }, 0],
  ['or answers the first true part', { or: [0, 'x'] }, 'x'],
  ['between', { '<': [0, { var: 'form.a' }, 2] }, true],
  ['in a text', { in: ['at', { var: 'form.text' }] }, true],
  ['in a list', { in: ['uy', ['uy', 'ar']] }, true],
  ['map', { map: [{ var: 'form.list' }, { '+': [{ var: 'n' }, 1] }] }, [2, 4]],
  ['filter', { filter: [{ var: 'form.list' }, { '>': [{ var: 'n' }, 2] }] }, [{ n: 3 }]],
  ['reduce', { reduce: [{ var: 'form.list' }, { '+': [{ var: 'accumulator' }, { var: 'current.n' }] }, 0] }, 4],
  ['some, all, none', { some: [{ var: 'form.list' }, { '==': [{ var: 'n' }, 3] }] }, true],
  ['missing', { missing: ['form.a', 'form.b'] }, ['form.b']],
  ['cat and substr', { substr: [{ cat: ['ma', 'te'] }, 1, 2] }, 'at'],
  ['arithmetic', { '%': [{ '*': [7, 3] }, 4] }, 1],
];

test.each(results)('[ENG-02] %s', (_, logic, result) => {
  expect(evaluate(logic, data)).toEqual(result);
});

test('[ENG-02] a rule holds by the truth of JSON-logic', () => {
  expect(holds(undefined, data)).toBe(true);
  expect(holds({ var: 'context.empty' }, data)).toBe(false);
  expect(holds({ var: 'form.text' }, data)).toBe(true);
});

test('[ENG-02] a template keeps its structure around rules', () => {
  const template = { challenge: 'username', data: { username: { var: 'form.text' }, list: [{ var: 'form.a' }, null] } };
  expect(render(template, data)).toEqual({ challenge: 'username', data: { username: 'mate', list: [1, null] } });
});

test('[ENG-02] the variables of a rule are found, but for relative ones', () => {
  expect(variablesOf({ and: [{ var: 'form.a' }, { some: [{ var: 'context.list' }, { var: 'n' }] }, { var: ['user.x', 1] }] }))
    .toEqual(['form.a', 'context.list', 'user.x']);
});

describe('limits', () => {
  const nested = (depth: number): Json => (depth === 0 ? true : { '!': nested(depth - 1) });

  test('[ANA-02] a rule that is nested too deep is refused', () => {
    expect(logicProblems(nested(10))).toEqual([]);
    expect(logicProblems(nested(5000))[0]?.message).toMatch(/deeper/);
  });

  test('[ANA-02] a rule with too many parts is refused', () => {
    expect(logicProblems({ or: Array.from({ length: 600 }, () => false) })[0]?.message).toMatch(/parts/);
  });

  test('[ANA-02] unknown and forbidden operators are refused', () => {
    expect(ruleProblems({ equals: [1, 1] })[0]?.message).toMatch(/Unknown operator "equals"/);
    expect(ruleProblems({ method: ['x', 'y'] })[0]?.message).toMatch(/not allowed/);
  });
});
