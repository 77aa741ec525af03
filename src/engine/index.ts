/** The engine without a view, for any page: README.md beside it shows how. */
export type { Flow } from './core/definition.ts';
export { createFlow, type PageServices, type RunningFlow } from './runtime/create-flow.ts';
export { createForm, openScreen, type Form, type ScreenPlugins } from './runtime/open-screen.ts';
