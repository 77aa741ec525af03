import { asObject } from '../../src/engine/core/json.ts';
import { defineRule } from '../../src/engine/core/plugin-rule.ts';

export const rules = [
  defineRule<true>({
    keyword: 'passwordPolicy',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    facts: () => ['passwordPolicy'],
    check: ({ value, context }) => {
      const policy = readPolicy(context['passwordPolicy']);
      if (typeof value !== 'string' || policy === null || policy.pattern.test(value)) return null;
      return policy.text === '' ? {} : { reason: 'described', values: { text: policy.text } };
    },
  }),
];

function readPolicy(policy: unknown): { pattern: RegExp; text: string } | null {
  const { pattern, text } = asObject(policy);
  return typeof pattern === 'string' && typeof text === 'string' ? { pattern: new RegExp(pattern, 'u'), text } : null;
}
