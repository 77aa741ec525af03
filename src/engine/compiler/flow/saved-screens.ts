import type { Flow, State, Step } from '../../core/definition.ts';
import { listStateBranches, listStateEffects } from './flow-parts.ts';
import type { Values } from '../../core/json.ts';
import { holds } from '../../core/logic.ts';
import type { CheckedScreen } from '../ir.ts';

export function savedScreens({ save, progress = [], states }: Flow): ReadonlySet<string> {
  const steps = save ? progress.flat() : [];
  return new Set(steps.flatMap(({ state }) => states[state]?.screen ?? []));
}

/** Returns the notices that flows raise, by screen. */
export function indexNotices(flows: readonly { readonly flow: Flow }[]): ReadonlyMap<string, ReadonlySet<string>> {
  const raised = new Map<string, Set<string>>();
  const add = (notice: string, screens: Iterable<string>): void => {
    for (const screen of screens) raised.set(screen, (raised.get(screen) ?? new Set()).add(notice));
  };
  for (const { flow } of flows) {
    for (const state of Object.values(flow.states))
      for (const { notice, target, challenge } of listStateBranches(state)) {
        const names = challenge === undefined ? [target] : Object.values(flow.challenges ?? {});
        const next = names.map((name) => (name === undefined ? state : flow.states[name]));
        if (notice !== undefined)
          add(
            notice,
            next.flatMap((one) => one?.screen ?? []),
          );
      }
    for (const notice of listSaveNotices(flow)) add(notice, savedScreens(flow));
  }
  return raised;
}

export function listSaveNotices({ save }: Flow): readonly string[] {
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

export function savedFlowsEndedBy(flows: readonly Flow[], operation: string): readonly string[] {
  const ends = ({ save, progress = [], states }: Flow) =>
    save && progress.flat().some(({ state }) => sends(states[state], operation));
  return flows.filter(ends).map(({ id }) => id);
}

function sends(state: State | undefined, operation: string): boolean {
  return listStateEffects(state ?? {}).some(({ src, progress }) => progress && src === operation);
}

export function withStepTitles(flow: Flow, screens: readonly CheckedScreen[]): Flow {
  const titled = (step: Step): Step => {
    const uis = screens.find(({ id }) => id === flow.states[step.state]?.screen)?.uis ?? new Map<string, never>();
    const titles = [...uis].map(([language, { step: name, title }]) => [language, name ?? String(title)]); // checkStep requires a single title
    return { ...step, titles: Object.fromEntries(titles) as Step['titles'] }; // Object.fromEntries returns any
  };
  return flow.progress ? { ...flow, progress: flow.progress.map((way) => way.map(titled)) } : flow;
}

/** Whether a journey includes a screen: the guard of at least one of its steps is true. Screens outside of journeys are included. */
export function isAsked(flows: readonly Flow[], screen: string, scope: Values): boolean {
  const steps = flows.flatMap(({ progress = [], states }) =>
    progress.flat().filter(({ state }) => states[state]?.screen === screen),
  );
  return steps.length === 0 || steps.some(({ guard }) => holds(guard, scope));
}

/** Sorts screens in step order, because guards read the answers of earlier steps. */
export function inOrder(flows: readonly Flow[], screens: readonly string[]): readonly string[] {
  const steps = flows.flatMap(({ progress = [], states }) => progress.flat().map(({ state }) => states[state]?.screen));
  return [...screens].sort((one, other) => steps.indexOf(one) - steps.indexOf(other));
}
