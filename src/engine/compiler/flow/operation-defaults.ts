import type { Template } from '../../core/definition.ts';

export interface OperationDefaults {
  readonly params?: Readonly<Record<string, Template>>;
  readonly input?: Template;
}
