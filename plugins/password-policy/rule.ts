import { defineRule } from '../../src/engine/core/plugin.ts';

/** Requires passwords to match the pattern that the operator has configured, if any. */
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
  if (typeof policy !== 'object' || policy === null || !('pattern' in policy) || !('text' in policy)) return null;
  const { pattern, text } = policy;
  return typeof pattern === 'string' && typeof text === 'string' ? { pattern: new RegExp(pattern, 'u'), text } : null;
}
