import { defineRule, fieldNameParameterSchema } from '../../src/engine/core/plugin-rule.ts';

export const rules = [
  defineRule<readonly string[]>({
    keyword: 'notEmptyForm',
    level: 'form',
    parameters: { type: 'array', minItems: 1, items: fieldNameParameterSchema },
    reads: (fields) => fields,
    check: ({ form, parameters }) => (parameters.some((name) => isAnswered(form[name])) ? null : {}),
  }),
];

function isAnswered(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null && value !== false;
}
