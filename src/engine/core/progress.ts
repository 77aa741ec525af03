import type { Flow, Step } from './definition.ts';
import type { Values } from './json.ts';
import { isRuleTrue } from './logic.ts';

export interface BarStep {
  readonly state: string;
  readonly title: string;
  readonly place: 'before' | 'here' | 'after';
}

export interface StepScope {
  readonly facts: Values;
  /** Visible, non-empty form values of a state, without secrets. Empty if the state has none. */
  readonly answers: (state: string) => Values;
}

/** Returns all steps of the journey that contains a state, without evaluating guards. Returns an empty array if the state is not a step. */
export function findJourney({ progress = [] }: Flow, state: string): readonly Step[] {
  return progress.find((steps) => steps.some((step) => step.state === state)) ?? [];
}

/**
 * Returns the steps of the journey that contains a state, except steps whose guard is false. Returns an empty array if the state is not a step.
 * Guards read the answers of the earlier steps as `form`.
 */
export function listSteps(flow: Flow, state: string, { facts, answers }: StepScope): readonly Step[] {
  let form: Values = {};
  return findJourney(flow, state).filter((step) => {
    const isTaken = step.state === state || isRuleTrue(step.guard, { ...facts, form });
    if (isTaken) form = { ...form, ...answers(step.state) };
    return isTaken;
  });
}

/** Returns the steps of the journey before a state. Returns an empty array if the state is not a step. */
export function listStepsBefore(flow: Flow, state: string, scope: StepScope): readonly Step[] {
  const steps = listSteps(flow, state, scope);
  return steps.slice(
    0,
    Math.max(
      0,
      steps.findIndex((step) => step.state === state),
    ),
  );
}

/** Returns the progress bar of a state's screen. Returns `null` if it has none. */
export function buildProgressBar(
  flow: Flow,
  state: string,
  scope: StepScope,
  language: string,
): readonly BarStep[] | null {
  const steps = listSteps(flow, state, scope);
  const currentIndex = steps.findIndex((step) => step.state === state);
  if (currentIndex < 0 || steps[currentIndex]?.bar === false) return null;
  return steps.map((step, index) => ({
    state: step.state,
    title: step.titles[language] ?? '',
    place: index < currentIndex ? 'before' : index === currentIndex ? 'here' : 'after',
  }));
}
