import { isNationalDocument, findDocumentNumberProblem } from '../../src/contract/document-number.ts';
import { defineRule, fieldNameParameterSchema } from '../../src/engine/core/plugin-rule.ts';
import { findUruguayanIdProblem } from './check-digit.ts';

export const rules = [
  defineRule<Readonly<Record<'country' | 'type' | 'number', string>>>({
    keyword: 'documentNumber',
    level: 'form',
    parameters: {
      type: 'object',
      required: ['country', 'type', 'number'],
      properties: {
        country: fieldNameParameterSchema,
        type: fieldNameParameterSchema,
        number: fieldNameParameterSchema,
      },
      additionalProperties: false,
    },
    reads: ({ country, type }) => [country, type],
    target: ({ number }) => number,
    check: ({ form, parameters }) => {
      const number = form[parameters.number];
      if (typeof number !== 'string') return null;
      const country = form[parameters.country];
      const national = isNationalDocument(country, form[parameters.type]);
      const problem = national ? findUruguayanIdProblem(number) : findDocumentNumberProblem(number);
      if (problem === null) return null;
      return problem === 'separators' ? { reason: 'separators' } : {};
    },
  }),
];
