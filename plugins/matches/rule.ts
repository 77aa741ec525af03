import { defineRule, fieldNameParameterSchema } from '../../src/engine/core/plugin-rule.ts';

type MatchedField = string | { readonly field: string; readonly reason?: string };

export const rules = [
  defineRule<MatchedField>({
    keyword: 'matches',
    level: 'field',
    types: ['string', 'number', 'integer', 'boolean'],
    parameters: {
      anyOf: [
        fieldNameParameterSchema,
        {
          type: 'object',
          required: ['field'],
          properties: { field: fieldNameParameterSchema, reason: { type: 'string', minLength: 1 } },
          additionalProperties: false,
        },
      ],
    },
    reads: (other) => [normalizeParameter(other).field],
    check: ({ value, form, parameters }) => {
      const { field, reason } = normalizeParameter(parameters);
      if (value === form[field]) return null;
      return reason === undefined ? {} : { reason };
    },
  }),
];

function normalizeParameter(other: MatchedField): { readonly field: string; readonly reason?: string } {
  return typeof other === 'string' ? { field: other } : other;
}
