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

/** What guards of steps see. */
export interface StepScope {
  /** Facts. */
  readonly facts: Values;
  /** What counts of the form of a state, without secrets; empty where nothing was answered. */
  readonly answers: (state: string) => Values;
}

/** Every step of the journey that a state stands in, whatever their guards say; empty where it is no step. */
export function journeyOf({ progress = [] }: Flow, state: string): readonly Step[] {
  return progress.find((steps) => steps.some((step) => step.state === state)) ?? [];
}

/**
 * The steps of the journey that a state stands in, those without a holding guard left out; empty where it is no step. A guard sees as `form` what the
 * steps before it were answered, without those that are left out themselves.
 */
export function stepsOf(flow: Flow, state: string, { facts, answers }: StepScope): readonly Step[] {
  let form: Values = {};
  return journeyOf(flow, state).filter((step) => {
    const isTaken = step.state === state || holds(step.guard, { ...facts, form });
    if (isTaken) form = { ...form, ...answers(step.state) };
    return isTaken;
  });
}

/** The steps before a state on its way; empty where it is no step. */
export function stepsBefore(flow: Flow, state: string, scope: StepScope): readonly Step[] {
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
export function barOf(flow: Flow, state: string, scope: StepScope, language: string): readonly BarStep[] | null {
  const steps = stepsOf(flow, state, scope);
  const here = steps.findIndex((step) => step.state === state);
  if (here < 0 || steps[here]?.bar === false) return null;
  return steps.map((step, index) => ({
    state: step.state,
    title: step.titles[language] ?? '',
    place: index < here ? 'before' : index === here ? 'here' : 'after',
  }));
}
