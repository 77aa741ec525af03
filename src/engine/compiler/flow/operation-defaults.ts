import type { Template } from '../../core/definition.ts';

/** Default parameters and input of an operation. */
export interface OperationDefaults {
  readonly params?: Readonly<Record<string, Template>>;
  readonly input?: Template;
}
