import type { Flow, State } from '../../core/definition.ts';
import { effectsOfState } from './branches-of-state.ts';

/** Returns the screens of the steps that a flow saves. */
export function savedScreens({ save, progress = [], states }: Flow): ReadonlySet<string> {
  const steps = save ? progress.flat() : [];
  return new Set(steps.flatMap(({ state }) => states[state]?.screen ?? []));
}

/** Returns the notices that a resumed journey may show. */
export function noticesOfSave({ save }: Flow): readonly string[] {
  return save ? [save.resumed, save.refused] : [];
}

/** Returns the screens of the steps whose forms are sent with an operation, in step order. */
export function screensSentBy(flows: readonly Flow[], operation: string): readonly string[] {
  const sent = flows.flatMap(({ progress = [], states }) =>
    progress.flatMap((journey) => {
      const last = journey.findLastIndex(({ state }) => sends(states[state], operation));
      return journey.slice(0, last + 1).flatMap(({ state }) => states[state]?.screen ?? []);
    }),
  );
  return [...new Set(sent)];
}

/** Returns the flows whose saved journeys end with an operation. */
export function savedFlowsEndedBy(flows: readonly Flow[], operation: string): readonly string[] {
  const ends = ({ save, progress = [], states }: Flow) =>
    save && progress.flat().some(({ state }) => sends(states[state], operation));
  return flows.filter(ends).map(({ id }) => id);
}

function sends(state: State | undefined, operation: string): boolean {
  return effectsOfState(state ?? {}).some(({ src, progress }) => progress && src === operation);
}
