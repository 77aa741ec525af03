import { defineRule, fieldName } from '../../src/engine/core/plugin.ts';

/** A form of which every field may be left out, but not all of them. */
export const rules = [
  defineRule<readonly string[]>({
    keyword: 'notEmptyForm',
    level: 'form',
    parameters: { type: 'array', minItems: 1, items: fieldName },
    reads: (fields) => fields,
    check: ({ form, parameters }) => (parameters.some((name) => isAnswered(form[name])) ? null : {}),
  }),
];

/** A box that is not ticked is no answer, and neither are blanks. */
function isAnswered(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null && value !== false;
}
