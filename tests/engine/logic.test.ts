import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/engine/core/json.ts';
import {
  addOperator,
  evaluate,
  isRuleTrue,
  findLogicProblems,
  render,
  findRuleProblems,
  listVariables,
} from '../../src/engine/core/logic.ts';

const data = {
  form: { a: 1, list: [{ n: 1 }, { n: 3 }], text: 'mate', odd: { toString: 1 } },
  context: { empty: [], none: null },
};

const results: readonly (readonly [note: string, logic: Json, result: unknown])[] = [
  ['a plain value', 7, 7],
  ['a variable', { var: 'form.a' }, 1],
  ['a variable with a default', { var: ['form.b', 'none'] }, 'none'],
  ['an absent variable', { var: 'form.b' }, null],
  ['an item by index', { var: 'form.list.1.n' }, 3],
  ['the inherited constructor is no variable', { var: 'constructor' }, null],
  ['nor is one of a value', { var: 'form.text.constructor' }, null],
  ['nor the prototype', { var: '__proto__.toString' }, null],
  ['nor the length of a text', { var: 'form.text.length' }, null],
  ['nothing is of a value that is null', { var: 'context.none.x' }, null],
  ['all that there is, by an empty name', { var: '' }, data],
  ['all that there is, by no name', { var: [] }, data],
  ['all that there is, by null', { var: null }, data],
  ['an object that becomes no text, in the place of one', { '==': [{ var: 'form.odd' }, 'x'] }, undefined],
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
  expect(isRuleTrue(undefined, data)).toBe(true);
  expect(isRuleTrue({ var: 'context.empty' }, data)).toBe(false);
  expect(isRuleTrue({ var: 'form.text' }, data)).toBe(true);
});

test('[ENG-02] a template keeps its structure around rules', () => {
  const template: Json = {
    challenge: 'username',
    data: { username: { var: 'form.text' }, list: [{ var: 'form.a' }, null, { deep: { var: 'form.a' } }] },
  };
  expect(render(template, data)).toEqual({
    challenge: 'username',
    data: { username: 'mate', list: [1, null, { deep: 1 }] },
  });
});

test('[ENG-02] an object beside whose operator something stands is structure, and so is an empty one', () => {
  expect(render({ both: { var: { var: 'form.text' }, more: 1 }, none: {} }, data)).toEqual({
    both: { var: 'mate', more: 1 },
    none: {},
  });
});

test('[ENG-02] an operator of a plugin works in every rule, and its name is taken', () => {
  addOperator('twice', (value) => Number(value) * 2);
  expect(evaluate({ '+': [{ twice: [{ var: 'form.a' }] }, 1] }, data)).toBe(3);
  for (const name of ['twice', 'var'])
    expect(() => addOperator(name, () => 0), name).toThrow(`The operator ${name} exists already.`);
  expect(evaluate({ twice: [4] }, data)).toBe(8);
});

test('[ENG-02] the variables of a rule are found, but for relative ones', () => {
  expect(
    listVariables({
      and: [{ var: 'form.a' }, { some: [{ var: 'context.list' }, { var: 'n' }] }, { var: ['user.x', 1] }],
    }),
  ).toEqual(['form.a', 'context.list', 'user.x']);
  expect(
    listVariables({
      or: [
        { missing: ['form.a', 'form.b'] },
        { missing: [['form.c']] },
        { missing_some: [1, ['form.d']] },
        { missing_some: [1, 'form.e'] },
      ],
    }),
  ).toEqual(['form.a', 'form.b', 'form.c', 'form.d', 'form.e']);
  expect(listVariables({ var: { cat: ['form.', 'a'] } })).toEqual([]);
});

describe('limits', () => {
  const nested = (depth: number, inside: Json = true): Json =>
    depth === 0 ? inside : { '!': nested(depth - 1, inside) };

  const nestedLists = (depth: number): Json =>
    depth === 0 ? true : { some: [{ var: 'form.list' }, nestedLists(depth - 1)] };
  const deeper = 'The rule is nested deeper than 20 levels.';

  test('[ANA-02] a rule that is nested too deep is refused, once, and what is deeper is not looked at', () => {
    expect(findLogicProblems(nested(19))).toEqual([]);
    expect(findLogicProblems(nested(20))).toMatchObject([{ pointer: '/!'.repeat(20), message: deeper }]);
    expect(findRuleProblems({ '!': nested(30, { equals: [1, 1] }) })).toMatchObject([
      { pointer: '/!'.repeat(20), message: deeper },
    ]);
    expect(findLogicProblems(nested(5000))).toHaveLength(1);
  });

  test('[ANA-02] a question about the items of a list nests by two levels', () => {
    expect(findLogicProblems(nestedLists(9))).toEqual([]);
    const tooDeep = [0, 1].map((index) => ({ pointer: `${'/some/1'.repeat(9)}/some/${index}`, message: deeper }));
    expect(findLogicProblems(nestedLists(10))).toMatchObject(tooDeep);
  });

  test('[ANA-02] a rule with too many parts is refused', () => {
    const rule = (parts: number) => ({ or: Array.from({ length: parts - 2 }, () => false) }); // the rule itself and its list are two of the parts
    expect(findLogicProblems(rule(500))).toEqual([]);
    expect(findLogicProblems(rule(501))).toMatchObject([{ pointer: '', message: 'The rule has more than 500 parts.' }]);
  });

  test.each<[note: string, rule: Json, pointer: string, message: string]>([
    ['an unknown operator', { equals: [1, 1] }, '', 'Unknown operator "equals".'],
    ['an object of several keys', { a: 1, b: 2 }, '', 'Unknown operator "a", "b".'],
    [
      'an unknown operator within an operator',
      { and: [true, { equals: [1, 1] }] },
      '/and/1',
      'Unknown operator "equals".',
    ],
    ['a method', { '!': { method: ['x', 'y'] } }, '/!', 'The operator "method" is not allowed.'],
    ['a log', { or: [{ log: 'x' }] }, '/or/0', 'The operator "log" is not allowed.'],
    [
      'a name that is computed',
      { var: { cat: ['a', 'b'] } },
      '',
      'The operator "var" reads values that the rule does not name.',
    ],
    ['no name', { var: [] }, '', 'The operator "var" reads values that the rule does not name.'],
    ['an empty name', { '!': { var: '' } }, '/!', 'The operator "var" reads values that the rule does not name.'],
    [
      'names that are computed',
      { missing: [{ cat: ['a', 'b'] }] },
      '',
      'The operator "missing" reads values that the rule does not name.',
    ],
    ['no names', { missing_some: [1] }, '', 'The operator "missing_some" reads values that the rule does not name.'],
  ])('[ANA-02] %s is refused where it stands', (_, rule, pointer, message) => {
    expect(findRuleProblems(rule)).toMatchObject([{ pointer, message }]);
  });

  test('[ANA-02] an operator must be known within an operator of a template too, and a rule may be a plain value', () => {
    expect(findLogicProblems({ data: { and: [true, { equals: [1, 1] }] } })).toMatchObject([
      { pointer: '/data/and/1', message: 'Unknown operator "equals".' },
    ]);
    expect(findRuleProblems(true)).toEqual([]);
  });

  test.each<[note: string, template: Json]>([
    ['a name that is no operator', { equals: [1, 1] }],
    ['one within structure', { data: { equals: [1, 1] } }],
    ['a forbidden one beside another', { log: 'a', more: 'b' }],
    ['nothing', {}],
    ['the item itself', { some: [{ var: 'form.list' }, { '==': [{ var: '' }, 3] }] }],
  ])('[ANA-02] in a template %s is fine', (_, template) => {
    expect(findLogicProblems(template)).toEqual([]);
  });
});
