import type { FieldPlan } from '../../../src/engine/core/screen.ts';

/** A field of which nothing is said but its name, and what a test adds. */
export const fieldPlan = (name: string, more: Partial<FieldPlan> = {}): FieldPlan => ({
  name,
  schema: {},
  required: false,
  secret: false,
  dependents: [],
  formRules: [],
  ...more,
});
