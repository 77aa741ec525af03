import { defineRule } from '../../src/engine/core/plugin-rule.ts';
import { findUruguayanIdProblem } from '../document-number/check-digit.ts';

export const rules = [
  defineRule<true>({
    keyword: 'uruguayanId',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    check: ({ value }) => {
      const problem = typeof value === 'string' ? findUruguayanIdProblem(value) : null;
      if (problem === null) return null;
      return problem === 'separators' ? { reason: 'separators' } : {};
    },
  }),
];
