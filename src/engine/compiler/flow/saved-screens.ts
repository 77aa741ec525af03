import type { Flow, State } from '../../core/definition.ts';
import { effectsOfState } from './branches-of-state.ts';

/** The screens of the steps that a flow saves; none of one that saves nothing. */
export function savedScreens({ save, progress = [], states }: Flow): ReadonlySet<string> {
  const steps = save ? progress.flat() : [];
  return new Set(steps.flatMap(({ state }) => states[state]?.screen ?? []));
}

/** The notices that a journey which goes on raises on any of them. */
export function noticesOfSave({ save }: Flow): readonly string[] {
  return save ? [save.resumed, save.refused] : [];
}

/** The screens of the steps whose forms flows send with an operation, in the order of their steps. */
export function screensSentBy(flows: readonly Flow[], operation: string): readonly string[] {
  const sent = flows.flatMap(({ progress = [], states }) =>
    progress.flatMap((journey) => {
      const last = journey.findLastIndex(({ state }) => sends(states[state], operation));
      return journey.slice(0, last + 1).flatMap(({ state }) => states[state]?.screen ?? []);
    }),
  );
  return [...new Set(sent)];
}

/** The flows of which nothing stays saved once an operation has taken the forms of their journey. */
export function savedFlowsEndedBy(flows: readonly Flow[], operation: string): readonly string[] {
  const ends = ({ save, progress = [], states }: Flow) =>
    save && progress.flat().some(({ state }) => sends(states[state], operation));
  return flows.filter(ends).map(({ id }) => id);
}

/** Whether a state sends the forms of its journey with an operation. */
function sends(state: State | undefined, operation: string): boolean {
  return effectsOfState(state ?? {}).some(({ src, progress }) => progress && src === operation);
}
