import { expect, test } from 'vitest';
import { areRulesContradictory } from '../../src/engine/compiler/flow/flow-queries.ts';
import type { JsonLogic } from '../../src/engine/core/flow-and-screen-types.ts';

const flag: JsonLogic = { var: 'flags.telefono' };
const phone: JsonLogic = { var: 'user.telefono' };

test.each<[note: string, rules: readonly (JsonLogic | undefined)[], excluded: boolean]>([
  ['a rule and its opposite', [flag, { '!': flag }], true],
  ['a conjunction, and neither of its parts', [{ and: [flag, { '!': phone }] }, { '!': { or: [flag, phone] } }], true],
  ['an absent rule and another rule', [undefined, flag], false],
  ['two absent rules', [undefined, undefined], false],
  ['rules that can both be true', [flag, { '!': phone }], false],
  ['comparisons with different constants', [{ '===': [flag, 'a'] }, { '===': [flag, 'b'] }], false],
  ['a form value and its negation', [{ var: 'form.a' }, { '!': { var: 'form.a' } }], false],
  ['a context variable and its negation', [{ var: 'context.a' }, { '!': { var: 'context.a' } }], false],
  ['a value and its part', [{ var: 'user' }, { and: [phone, { '!': phone }] }], false],
  ['a plugin operator', [{ ageOf: flag }, { '!': { ageOf: flag } }], false],
])(
  '[AGEN-09] areRulesContradictory decides whether the rules of two steps exclude each other: %s',
  (_, rules, excluded) => {
    expect(areRulesContradictory(rules)).toBe(excluded);
  },
);
