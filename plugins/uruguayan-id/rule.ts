import { defineRule } from '../../src/engine/core/plugin.ts';
import { uruguayanIdProblem } from '../document-number/check-digit.ts';

export const rules = [
  defineRule<true>({
    keyword: 'uruguayanId',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    check: ({ value }) => {
      const problem = typeof value === 'string' ? uruguayanIdProblem(value) : null;
      if (problem === null) return null;
      return problem === 'separators' ? { reason: 'separators' } : {};
    },
  }),
];
