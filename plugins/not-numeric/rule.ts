import { defineRule } from '../../src/engine/core/plugin-rule.ts';

export const rules = [
  defineRule<true>({
    keyword: 'notOnlyDigits',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    check: ({ value }) => (typeof value === 'string' && /^\p{Nd}+$/u.test(value) ? {} : null),
  }),
];
