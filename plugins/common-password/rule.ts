import { defineRule } from '../../src/engine/core/plugin.ts';
import { isCommon } from './common.ts';

/** `true`, or the operator's own words in addition to the bundled list. */
type Options = true | { readonly words: readonly string[] };

export const rules = [
  defineRule<Options>({
    keyword: 'notCommon',
    level: 'field',
    types: ['string'],
    parameters: {
      anyOf: [
        { const: true },
        {
          type: 'object',
          required: ['words'],
          properties: { words: { type: 'array', items: { type: 'string', pattern: '^[a-z]{3,}$' } } },
          additionalProperties: false,
        },
      ],
    },
    check: ({ value, parameters }) => {
      if (typeof value !== 'string') return null;
      return isCommon(value, parameters === true ? [] : parameters.words) ? {} : null;
    },
  }),
];
