import { defineRule, fieldNameParameterSchema } from '../../src/engine/core/plugin-rule.ts';

interface TickedWhenParameters {
  readonly fields: readonly string[];
  /** Condition under which the boxes must be ticked: the field `field` has the value `is`. */
  readonly when: { readonly field: string; readonly is: string };
}

export const rules = [
  defineRule<TickedWhenParameters>({
    keyword: 'tickedWhen',
    level: 'form',
    parameters: {
      type: 'object',
      required: ['fields', 'when'],
      properties: {
        fields: { type: 'array', minItems: 1, items: fieldNameParameterSchema },
        when: {
          type: 'object',
          required: ['field', 'is'],
          properties: { field: fieldNameParameterSchema, is: { type: 'string', minLength: 1 } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    reads: ({ fields, when }) => [...fields, when.field],
    check: ({ form, parameters: { fields, when } }) =>
      form[when.field] !== when.is || fields.every((name) => form[name] === true) ? null : {},
  }),
];
