import type { Branch, Flow, Template } from '../../core/definition.ts';
import { effectOf } from '../../core/transition.ts';
import { branchesOfState } from './branches-of-state.ts';

export function templatesOf(flow: Flow): readonly Template[] {
  const given = (templates: Readonly<Record<string, Template>> | undefined) => Object.values(templates ?? {});
  const ofBranch = ({ guard, assign, challenge, leave }: Branch) => [guard, ...given(assign), challenge, leave];
  const states = Object.values(flow.states).flatMap((state) => [
    state.chrome,
    state.requires?.guard,
    state.after?.at,
    ...given(state.prefill),
    ...given(state.carry),
    ...given(state.source?.params),
    ...branchesOfState(state).flatMap(ofBranch),
    ...[state.invoke, ...Object.values(state.on ?? {}).map(effectOf)].flatMap((effect) =>
      effect ? [effect.input, ...given(effect.params)] : [],
    ),
  ]);
  const ways = (flow.progress ?? []).flat().map(({ guard }) => guard);
  return [...states, ...ways].filter((template) => template !== undefined);
}
