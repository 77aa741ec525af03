import { defineRule } from '../../src/engine/core/plugin.ts';

/** Fewest and most digits of an international number with its country code (most: ITU-T E.164). */
const digits = { fewest: 8, most: 15 } as const;

/** A plausible international phone number; whether it can be reached is for a message to find out. */
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
      return count < digits.fewest || count > digits.most ? {} : null;
    },
  }),
];
