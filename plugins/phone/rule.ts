import { defineRule } from '../../src/engine/core/plugin-rule.ts';

/** Minimum and maximum number of digits of an international number with its country code (maximum: ITU-T E.164). */
const digitCount = { fewest: 8, most: 15 } as const;

export const rules = [
  defineRule<true>({
    keyword: 'phone',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    check: ({ value }) => {
      if (typeof value !== 'string') return null;
      if (/^\+598 ?0/.test(value)) return { reason: 'leadingZero' };
      if (!/^\+[1-9][0-9]*( [0-9]+)*$/.test(value)) return {};
      const count = value.replace(/[^0-9]/g, '').length;
      return count < digitCount.fewest || count > digitCount.most ? {} : null;
    },
  }),
];
