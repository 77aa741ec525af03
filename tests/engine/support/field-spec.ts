import type { FieldSpec } from '../../../src/engine/core/screen.ts';

/** A field of which nothing is said but its name, and what a test adds. */
export const fieldSpec = (name: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  schema: {},
  required: false,
  secret: false,
  dependents: [],
  formRules: [],
  ...more,
});
