import type { Branch, Effect, State, ContextVariable, Flow, Ui, Template } from '../../core/definition.ts';
import { listBranches, findEffect } from '../../core/transition.ts';
import type { Json } from '../../core/json.ts';
import { listVariables } from '../../core/logic.ts';
import { placeholders } from '../../core/messages.ts';
import { pathNames } from '../../core/route.ts';

export function listStateEffects({ invoke, on = {} }: State): readonly Effect[] {
  return [...(invoke ? [invoke] : []), ...Object.values(on).flatMap((transition) => findEffect(transition) ?? [])];
}

export function listStateBranches(state: State): readonly Branch[] {
  return [
    ...(state.always ?? []),
    ...listStateEffects(state).flatMap(({ onDone, onError }) => [...onDone, ...onError]),
    ...Object.values(state.on ?? {}).flatMap(listBranches),
  ];
}

export function isDeclared(variable: ContextVariable): boolean {
  return variable.from !== 'result' || variable.persist !== undefined || variable.default !== undefined;
}

/** Returns the variables that a flow, its screens and its paths read. Code of blocks is not analysed. */
export function variablesRead(flow: Flow, uiOf: (screen: string) => Ui | undefined): ReadonlySet<string> {
  const states = Object.values(flow.states);
  const uis = states.flatMap(({ screen }) => (screen === undefined ? [] : (uiOf(screen) ?? [])));
  const rules = [...listTemplates(flow), ...uis.map((ui) => ui as unknown as Json)]; // definitions are JSON
  return new Set([
    ...rules.flatMap(listVariables).flatMap((path) => (path.startsWith('context.') ? [path.split('.')[1] ?? ''] : [])),
    ...uis.flatMap((ui) => placeholders(JSON.stringify(ui))),
    ...states.flatMap(({ path }) => pathNames(path ?? '')),
  ]);
}

export function listTemplates(flow: Flow): readonly Template[] {
  const given = (templates: Readonly<Record<string, Template>> | undefined) => Object.values(templates ?? {});
  const listBranchTemplates = ({ guard, assign, challenge, leave }: Branch) => [
    guard,
    ...given(assign),
    challenge,
    leave,
  ];
  const states = Object.values(flow.states).flatMap((state) => [
    state.chrome,
    state.requires?.guard,
    state.after?.at,
    ...given(state.prefill),
    ...given(state.carry),
    ...given(state.source?.params),
    ...listStateBranches(state).flatMap(listBranchTemplates),
    ...[state.invoke, ...Object.values(state.on ?? {}).map(findEffect)].flatMap((effect) =>
      effect ? [effect.input, ...given(effect.params)] : [],
    ),
  ]);
  const ways = (flow.progress ?? []).flat().map(({ guard }) => guard);
  return [...states, ...ways].filter((template) => template !== undefined);
}
