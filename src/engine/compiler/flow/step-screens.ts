import type { Flow, Step } from '../../core/definition.ts';
import type { Values } from '../../core/json.ts';
import { holds } from '../../core/logic.ts';
import type { CheckedScreen } from '../screen/checked-screen.ts';

/** A flow whose steps know in each language what the bar calls them, as their screens say it. */
export function withStepTitles(flow: Flow, screens: readonly CheckedScreen[]): Flow {
  const titled = (step: Step): Step => {
    const uis = screens.find(({ id }) => id === flow.states[step.state]?.screen)?.uis ?? new Map<string, never>();
    const titles = [...uis].map(([language, { step: name, title }]) => [language, name ?? String(title)]); // one title: it was checked
    return { ...step, titles: Object.fromEntries(titles) as Step['titles'] }; // Object.fromEntries answers any
  };
  return flow.progress ? { ...flow, progress: flow.progress.map((way) => way.map(titled)) } : flow;
}

/** Whether a journey asks what a screen asks: not where the guards of all steps with this screen leave them out. */
export function isAsked(flows: readonly Flow[], screen: string, scope: Values): boolean {
  const steps = flows.flatMap(({ progress = [], states }) =>
    progress.flat().filter(({ state }) => states[state]?.screen === screen),
  );
  return steps.length === 0 || steps.some(({ guard }) => holds(guard, scope));
}

/** Screens in the order of the steps that show them: a guard reads what those before were answered. */
export function inOrder(flows: readonly Flow[], screens: readonly string[]): readonly string[] {
  const steps = flows.flatMap(({ progress = [], states }) => progress.flat().map(({ state }) => states[state]?.screen));
  return [...screens].sort((one, other) => steps.indexOf(one) - steps.indexOf(other));
}
