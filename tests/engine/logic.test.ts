import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/engine/core/json.ts';
import {
  evaluateJsonLogic,
  isRuleTrue,
  findLogicTemplateProblems,
  renderLogicTemplate,
  findRuleProblems,
  registerPluginOperator,
  listPathsReadByLogic,
} from '../../src/engine/core/json-logic.ts';

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
  ['an inherited constructor as absent', { var: 'constructor' }, null],
  ['the constructor of a value as absent', { var: 'form.text.constructor' }, null],
  ['the prototype as absent', { var: '__proto__.toString' }, null],
  ['the length of a text as absent', { var: 'form.text.length' }, null],
  ['a property of null as absent', { var: 'context.none.x' }, null],
  ['an empty variable name as all data', { var: '' }, data],
  ['a missing variable name as all data', { var: [] }, data],
  ['a null variable name as all data', { var: null }, data],
  ['an object without a string conversion in a comparison', { '==': [{ var: 'form.odd' }, 'x'] }, undefined],
  ['loose equality', { '==': [{ var: 'form.a' }, '1'] }, true],
  ['strict equality', { '===': [{ var: 'form.a' }, '1'] }, false],
  ['if with several conditions', { if: [{ var: 'form.b' }, 'b', { var: 'form.a' }, 'a', 'c'] }, 'a'],
  ['and with the first false part as result', { and: [1, 0, 2] }, 0],
  ['or with the first true part as result', { or: [0, 'x'] }, 'x'],
  ['a comparison of three values', { '<': [0, { var: 'form.a' }, 2] }, true],
  ['in a text', { in: ['at', { var: 'form.text' }] }, true],
  ['in a list', { in: ['uy', ['uy', 'ar']] }, true],
  ['map', { map: [{ var: 'form.list' }, { '+': [{ var: 'n' }, 1] }] }, [2, 4]],
  ['filter', { filter: [{ var: 'form.list' }, { '>': [{ var: 'n' }, 2] }] }, [{ n: 3 }]],
  ['reduce', { reduce: [{ var: 'form.list' }, { '+': [{ var: 'accumulator' }, { var: 'current.n' }] }, 0] }, 4],
  ['some', { some: [{ var: 'form.list' }, { '==': [{ var: 'n' }, 3] }] }, true],
  ['missing', { missing: ['form.a', 'form.b'] }, ['form.b']],
  ['cat and substr', { substr: [{ cat: ['ma', 'te'] }, 1, 2] }, 'at'],
  ['arithmetic', { '%': [{ '*': [7, 3] }, 4] }, 1],
];

test.each(results)('[ENG-02] evaluate handles %s', (_, logic, result) => {
  expect(evaluateJsonLogic(logic, data)).toEqual(result);
});

test('[ENG-02] isRuleTrue follows the truth values of JsonLogic, and is true for an absent rule', () => {
  expect(isRuleTrue(undefined, data)).toBe(true);
  expect(isRuleTrue({ var: 'context.empty' }, data)).toBe(false);
  expect(isRuleTrue({ var: 'form.text' }, data)).toBe(true);
});

test('[ENG-02] render replaces rules in a template and keeps its structure', () => {
  const template: Json = {
    challenge: 'username',
    data: { username: { var: 'form.text' }, list: [{ var: 'form.a' }, null, { deep: { var: 'form.a' } }] },
  };
  expect(renderLogicTemplate(template, data)).toEqual({
    challenge: 'username',
    data: { username: 'mate', list: [1, null, { deep: 1 }] },
  });
});

test('[ENG-02] render treats an object with several keys, and an empty one, as structure', () => {
  expect(renderLogicTemplate({ both: { var: { var: 'form.text' }, more: 1 }, none: {} }, data)).toEqual({
    both: { var: 'mate', more: 1 },
    none: {},
  });
});

test('[ENG-02] registerPluginOperator adds an operator for every rule, replaces it, and rejects a built-in name', () => {
  registerPluginOperator('twice', (value) => Number(value) * 3);
  registerPluginOperator('twice', (value) => Number(value) * 2);
  expect(evaluateJsonLogic({ '+': [{ twice: [{ var: 'form.a' }] }, 1] }, data)).toBe(3);
  expect(() => registerPluginOperator('var', () => 0)).toThrow('The operator var exists already.');
  expect(evaluateJsonLogic({ var: 'form.a' }, data)).toBe(1);
});

test('[ENG-02] listVariables lists the absolute variables of a rule', () => {
  expect(
    listPathsReadByLogic({
      and: [{ var: 'form.a' }, { some: [{ var: 'context.list' }, { var: 'n' }] }, { var: ['user.x', 1] }],
    }),
  ).toEqual(['form.a', 'context.list', 'user.x']);
  expect(
    listPathsReadByLogic({
      or: [
        { missing: ['form.a', 'form.b'] },
        { missing: [['form.c']] },
        { missing_some: [1, ['form.d']] },
        { missing_some: [1, 'form.e'] },
      ],
    }),
  ).toEqual(['form.a', 'form.b', 'form.c', 'form.d', 'form.e']);
  expect(listPathsReadByLogic({ var: { cat: ['form.', 'a'] } })).toEqual([]);
});

describe('compiler checks of rules', () => {
  const nested = (depth: number, inside: Json = true): Json =>
    depth === 0 ? inside : { '!': nested(depth - 1, inside) };

  const nestedLists = (depth: number): Json =>
    depth === 0 ? true : { some: [{ var: 'form.list' }, nestedLists(depth - 1)] };
  const deeper = 'The rule is nested deeper than 20 levels.';

  test('[ANA-02] report a rule nested deeper than 20 levels once, and check nothing below', () => {
    expect(findLogicTemplateProblems(nested(19))).toEqual([]);
    expect(findLogicTemplateProblems(nested(20))).toMatchObject([{ pointer: '/!'.repeat(20), message: deeper }]);
    expect(findRuleProblems({ '!': nested(30, { equals: [1, 1] }) })).toMatchObject([
      { pointer: '/!'.repeat(20), message: deeper },
    ]);
    expect(findLogicTemplateProblems(nested(5000))).toHaveLength(1);
  });

  test('[ANA-02] count two levels for a rule over list items', () => {
    expect(findLogicTemplateProblems(nestedLists(9))).toEqual([]);
    const tooDeep = [0, 1].map((index) => ({ pointer: `${'/some/1'.repeat(9)}/some/${index}`, message: deeper }));
    expect(findLogicTemplateProblems(nestedLists(10))).toMatchObject(tooDeep);
  });

  test('[ANA-02] report a rule with more than 500 parts', () => {
    const rule = (parts: number) => ({ or: Array.from({ length: parts - 2 }, () => false) }); // the object `or` and its list count as two parts
    expect(findLogicTemplateProblems(rule(500))).toEqual([]);
    expect(findLogicTemplateProblems(rule(501))).toMatchObject([
      { pointer: '', message: 'The rule has more than 500 parts.' },
    ]);
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
    ['the operator method', { '!': { method: ['x', 'y'] } }, '/!', 'The operator "method" is not allowed.'],
    ['the operator log', { or: [{ log: 'x' }] }, '/or/0', 'The operator "log" is not allowed.'],
    [
      'a computed name',
      { var: { cat: ['a', 'b'] } },
      '',
      'The operator "var" reads values that the rule does not name.',
    ],
    ['a missing name', { var: [] }, '', 'The operator "var" reads values that the rule does not name.'],
    ['an empty name', { '!': { var: '' } }, '/!', 'The operator "var" reads values that the rule does not name.'],
    [
      'computed names',
      { missing: [{ cat: ['a', 'b'] }] },
      '',
      'The operator "missing" reads values that the rule does not name.',
    ],
    [
      'missing names',
      { missing_some: [1] },
      '',
      'The operator "missing_some" reads values that the rule does not name.',
    ],
  ])('[ANA-02] report %s at its pointer', (_, rule, pointer, message) => {
    expect(findRuleProblems(rule)).toMatchObject([{ pointer, message }]);
  });

  test('[ANA-02] report an unknown operator inside an operator of a template, and accept a plain value as a rule', () => {
    expect(findLogicTemplateProblems({ data: { and: [true, { equals: [1, 1] }] } })).toMatchObject([
      { pointer: '/data/and/1', message: 'Unknown operator "equals".' },
    ]);
    expect(findRuleProblems(true)).toEqual([]);
  });

  test.each<[note: string, template: Json]>([
    ['an object with an unknown key', { equals: [1, 1] }],
    ['a nested object with an unknown key', { data: { equals: [1, 1] } }],
    ['a forbidden operator beside another key', { log: 'a', more: 'b' }],
    ['an empty object', {}],
    ['an empty variable name for the item itself', { some: [{ var: 'form.list' }, { '==': [{ var: '' }, 3] }] }],
  ])('[ANA-02] accept in a template %s', (_, template) => {
    expect(findLogicTemplateProblems(template)).toEqual([]);
  });
});
