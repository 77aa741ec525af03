import type { ContextVariable, Flow, Ui } from '../../core/definition.ts';
import type { Json } from '../../core/json.ts';
import { variablesOf } from '../../core/logic.ts';
import { placeholders } from '../../core/messages.ts';
import { pathNames } from '../../core/route.ts';
import { templatesOf } from './templates-of-flow.ts';

export function isDeclared(variable: ContextVariable): boolean {
  return variable.from !== 'result' || variable.persist !== undefined || variable.default !== undefined;
}

/** Returns the variables that a flow, its screens and its paths read. Code of blocks is not analysed. */
export function variablesRead(flow: Flow, uiOf: (screen: string) => Ui | undefined): ReadonlySet<string> {
  const states = Object.values(flow.states);
  const uis = states.flatMap(({ screen }) => (screen === undefined ? [] : (uiOf(screen) ?? [])));
  const rules = [...templatesOf(flow), ...uis.map((ui) => ui as unknown as Json)]; // definitions are JSON
  return new Set([
    ...rules.flatMap(variablesOf).flatMap((path) => (path.startsWith('context.') ? [path.split('.')[1] ?? ''] : [])),
    ...uis.flatMap((ui) => placeholders(JSON.stringify(ui))),
    ...states.flatMap(({ path }) => pathNames(path ?? '')),
  ]);
}
