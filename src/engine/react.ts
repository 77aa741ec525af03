/** Public API of the engine's React view. See README.md. */
export { createEngine } from './react/create-engine.tsx';
export { EngineProvider, type EngineServices } from './react/engine-context.ts';
export { useField, type FieldState } from './react/field/use-field.ts';
export { FlowRoute, type FlowBlockProps, type FlowRouteProps, type RouterLocation } from './react/flow/flow-route.tsx';
export { LoadError } from './react/flow/load-error.tsx';
export { createManualOperations, OperationPanel, type ManualOperations } from './react/flow/operation-panel.tsx';
export { useFlow } from './react/flow/use-flow.ts';
export { Screen, type ScreenProps } from './react/flow/screen-view.tsx';
export { rjsfTheme } from './react/field/rjsf-theme.tsx';
export { plainTheme, type ButtonProps, type ListFrameProps, type StepBarProps, type Theme } from './react/theme.ts';
export { toWidgetParts, type Widget, type WidgetProps } from './react/widget.ts';
