import { expect, test } from 'vitest';
import { areContradictory } from '../../src/engine/compiler/flow/flow-parts.ts';
import type { Logic } from '../../src/engine/core/definition.ts';

const flag: Logic = { var: 'flags.telefono' };
const phone: Logic = { var: 'user.telefono' };

test.each<[note: string, rules: readonly (Logic | undefined)[], excluded: boolean]>([
  ['a rule and its opposite', [flag, { '!': flag }], true],
  ['either of two, and neither', [{ and: [flag, { '!': phone }] }, { '!': { or: [flag, phone] } }], true],
  ['an absent rule holds', [undefined, flag], false],
  ['no rule', [undefined, undefined], false],
  ['rules that hold at once', [flag, { '!': phone }], false],
  ['a comparison proves nothing', [{ '===': [flag, 'a'] }, { '===': [flag, 'b'] }], false],
  ['what was typed may change', [{ var: 'form.a' }, { '!': { var: 'form.a' } }], false],
  ['a variable of the flow may change', [{ var: 'context.a' }, { '!': { var: 'context.a' } }], false],
  ['a value and its part', [{ var: 'user' }, { and: [phone, { '!': phone }] }], false],
  ['a plugin operator', [{ ageOf: flag }, { '!': { ageOf: flag } }], false],
])('[AGEN-09] two steps ask for one field only where they exclude each other: %s', (_, rules, excluded) => {
  expect(areContradictory(rules)).toBe(excluded);
});
