import type { FieldSpec } from '../../../src/engine/core/screen.ts';

/** A field with only a name, and the test's additions. */
export const fieldSpec = (name: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  schema: {},
  required: false,
  secret: false,
  dependents: [],
  formRules: [],
  ...more,
});
