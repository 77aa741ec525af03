import { defineRule, fieldName } from '../../src/engine/core/plugin.ts';
import type { Values } from '../../src/engine/core/json.ts';
import { foldSecret, joinNames, splitWords } from './known.ts';
import { resembles } from './similarity.ts';

/** Personal data that a value must not resemble, and the similarity ratio above which it does. */
interface Personal {
  readonly fields: readonly string[];
  /** Name of an object in the context with more personal data. */
  readonly context?: string;
  /** Fields, or keys of that object, that form one full name, in order. */
  readonly names?: readonly string[];
  readonly threshold: number;
}

/** Highest number of names that are combined: each one doubles the number of selections. */
const mostNames = 4;

export const rules = [
  defineRule<Personal>({
    keyword: 'notSimilarTo',
    level: 'field',
    types: ['string'],
    parameters: {
      type: 'object',
      required: ['fields', 'threshold'],
      properties: {
        fields: { type: 'array', items: fieldName, maxItems: 12 },
        context: { type: 'string', minLength: 1 },
        names: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 2, maxItems: mostNames },
        threshold: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      },
      additionalProperties: false,
    },
    reads: ({ fields }) => fields,
    facts: ({ context }) => (context === undefined ? [] : [context]),
    check: ({ value, form, context, parameters: { fields, context: fact, names = [], threshold } }) => {
      if (typeof value !== 'string') return null;
      const typed = Object.fromEntries(fields.map((field) => [field, form[field]]));
      const known = [typed, fact === undefined ? {} : asValues(context[fact])].flatMap((person) => [
        ...Object.values(person).flatMap((text) => (typeof text === 'string' ? splitWords(text) : [])),
        ...joinNames(names.flatMap((name) => getText(person, name))),
      ]);
      const secret = foldSecret(value);
      return [...new Set(known)].some((text) => resembles(secret, text, threshold)) ? {} : null;
    },
  }),
];

function asValues(facts: unknown): Values {
  return typeof facts === 'object' && facts !== null ? Object.fromEntries(Object.entries(facts)) : {};
}

function getText(person: Values, name: string): readonly string[] {
  const text = Object.hasOwn(person, name) ? person[name] : undefined;
  return typeof text === 'string' ? [text] : [];
}
