/** Public API of the engine without its React view. See README.md. */
export type { FromSchema as FormValues } from 'json-schema-to-ts';
export type { Flow } from './core/flow-and-screen-types.ts';
export type { OperationFailure, OperationResult } from './core/operation-result.ts';
export { defineRule, type PluginValidationRule, type RuleFailure, type RuleInput } from './core/plugin-rule.ts';
export type { ScreenModule } from './core/compiled-screen.ts';
export { createFlow, type PageServices, type RunningFlow } from './runtime/create-flow.ts';
export { createTexts, type EngineTextKey } from './runtime/engine-text.ts';
export { AsyncFieldCheck, type AsyncValidator } from './runtime/form/async-field-check.ts';
export { createForm, openScreen, type Form, type ScreenPlugins } from './runtime/open-screen.ts';
