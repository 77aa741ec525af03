import { defineRule } from '../../src/engine/core/plugin.ts';
import { similarity } from './similarity.ts';

/** What a value must not resemble, and from which ratio on it does. */
interface Personal {
  readonly fields: readonly string[];
  /** Name of an object of the context with more of what is known of the person. */
  readonly context?: string;
  readonly threshold: number;
}

/** A password that is not made of what is known of its owner. */
export const rules = [
  defineRule<Personal>({
    keyword: 'notSimilarTo',
    level: 'field',
    parameters: {
      type: 'object',
      required: ['fields', 'threshold'],
      properties: {
        fields: { type: 'array', items: { type: 'string', minLength: 1 } },
        context: { type: 'string', minLength: 1 },
        threshold: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      },
      additionalProperties: false,
    },
    reads: ({ fields }) => fields,
    facts: ({ context }) => (context === undefined ? [] : [context]),
    check: ({ value, form, context, parameters }) => {
      if (typeof value !== 'string') return null;
      const known = [
        ...parameters.fields.map((field) => form[field]),
        ...(parameters.context === undefined ? [] : valuesOf(context[parameters.context])),
      ];
      const secret = fold(value);
      const resembles = (part: string) => similarity(secret, part) > parameters.threshold;
      return known.flatMap(partsOf).some(resembles) ? {} : null;
    },
  }),
];

function valuesOf(facts: unknown): readonly unknown[] {
  return typeof facts === 'object' && facts !== null ? Object.values(facts) : [];
}

/** The text as a whole, and each run of letters and digits in it. */
function partsOf(fact: unknown): readonly string[] {
  if (typeof fact !== 'string') return [];
  const folded = fold(fact);
  return [folded, ...folded.split(/[^\p{L}\p{N}]+/u)].filter((part) => part !== '');
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
