import type { Flow } from '../../core/definition.ts';
import { effectsOfState } from './branches-of-state.ts';

/** The screens of the steps that a flow saves; none of one that saves nothing. */
export function savedScreens({ save, progress = [], states }: Flow): ReadonlySet<string> {
  const steps = save ? progress.flat() : [];
  return new Set(steps.flatMap(({ state }) => states[state]?.screen ?? []));
}

/** The notices that a way which goes on raises on any of them. */
export function noticesOfSave({ save }: Flow): readonly string[] {
  return save ? [save.resumed, save.refused] : [];
}

/** The flows of which nothing stays saved once a call has taken the forms of their way. */
export function savedFlowsEndedBy(flows: readonly Flow[], call: string): readonly string[] {
  const ends = ({ save, progress = [], states }: Flow) =>
    save &&
    progress
      .flat()
      .some(({ state }) => effectsOfState(states[state] ?? {}).some(({ src, progress: sent }) => sent && src === call));
  return flows.filter(ends).map(({ id }) => id);
}
