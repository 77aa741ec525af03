import type { Flow, Step } from '../../core/definition.ts';
import type { Values } from '../../core/json.ts';
import { holds } from '../../core/logic.ts';
import type { CheckedScreen } from '../ir.ts';

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
