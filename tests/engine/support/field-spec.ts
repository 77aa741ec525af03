import type { FieldSpec } from '../../../src/engine/core/compiled-screen.ts';

export const createFieldSpec = (name: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  schema: {},
  required: false,
  secret: false,
  dependents: [],
  formRules: [],
  ...more,
});
