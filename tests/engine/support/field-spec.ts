import type { FieldSpec } from '../../../src/engine/core/screen.ts';

/** Creates a field spec with only a name, and optional additions. */
export const createFieldSpec = (name: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  schema: {},
  required: false,
  secret: false,
  dependents: [],
  formRules: [],
  ...more,
});
