import type { Flow, Step } from './definition.ts';
import type { Values } from './json.ts';
import { holds } from './logic.ts';

/** One step as the bar shows it. */
export interface BarStep {
  readonly state: string;
  readonly title: string;
  /** Before the step that is shown, that step itself, or after it. */
  readonly place: 'before' | 'here' | 'after';
}

/** The steps of the journey that a state stands in, those without a holding guard left out; empty where it is no step. */
export function stepsOf({ progress = [] }: Flow, state: string, scope: Values): readonly Step[] {
  const journey = progress.find((steps) => steps.some((step) => step.state === state)) ?? [];
  return journey.filter((step) => step.state === state || holds(step.guard, scope));
}

/** The steps before a state on its way; empty where it is no step. */
export function stepsBefore(flow: Flow, state: string, scope: Values): readonly Step[] {
  const steps = stepsOf(flow, state, scope);
  return steps.slice(
    0,
    Math.max(
      0,
      steps.findIndex((step) => step.state === state),
    ),
  );
}

/** The bar above the screen of a state; null where it has none. */
export function barOf(flow: Flow, state: string, scope: Values, language: string): readonly BarStep[] | null {
  const steps = stepsOf(flow, state, scope);
  const here = steps.findIndex((step) => step.state === state);
  if (here < 0 || steps[here]?.bar === false) return null;
  return steps.map((step, index) => ({
    state: step.state,
    title: step.titles[language] ?? '',
    place: index < here ? 'before' : index === here ? 'here' : 'after',
  }));
}
