import { expect, test } from 'vitest';
import {
  createInitialRuleValue,
  listRuleParameters,
  parseRuleParameter,
  setRuleParameter,
} from './plugin-rule-fields.tsx';

const named = {
  type: 'object',
  required: ['on', 'many'],
  properties: { on: { type: 'boolean' }, many: { type: 'array', items: { type: 'string' } }, deep: { type: 'object' } },
};

test.each([
  ['a constant', { const: true }, true, []],
  ['a box alone', { type: 'boolean' }, false, ['boolean']],
  ['a text alone', { type: 'string' }, '', ['string']],
  ['fields alone', { type: 'array', items: { type: 'string', names: 'field' } }, [], ['fields']],
  ['names', named, { on: false, many: [] }, ['boolean', 'lines']],
  ['a constant or names', { anyOf: [{ const: true }, named] }, true, ['boolean', 'lines']],
])(
  '[EST-15] a rule with %s as parameters has empty initial values and the right controls',
  (_, schema, blank, kinds) => {
    expect(createInitialRuleValue(schema)).toEqual(blank);
    expect(listRuleParameters(schema, createInitialRuleValue(schema)).map(({ kind }) => kind)).toEqual(kinds);
  },
);

test('[EST-15] a parameter without a control has no kind, and keeps its value when another parameter changes', () => {
  const written = { on: true, many: [], deep: { a: 1 } };
  expect(listRuleParameters(named, written)[2]).toMatchObject({ name: 'deep', kind: undefined, value: { a: 1 } });
  expect(setRuleParameter(named, written, 'on', false)).toEqual({ ...written, on: false });
});

test('[EST-15] parseRuleParameter returns a number only for a complete number', () => {
  expect(['1', '1.', '1.5', 'x', ''].map((typed) => parseRuleParameter('number', typed))).toEqual([
    1,
    '1.',
    1.5,
    'x',
    undefined,
  ]);
});
