import type { Template } from '../../core/definition.ts';

/** What an operation takes where a flow says nothing of it. */
export interface OperationDefaults {
  readonly params?: Readonly<Record<string, Template>>;
  readonly input?: Template;
}
