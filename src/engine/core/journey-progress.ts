import type { Flow, JourneyStep } from './flow-and-screen-types.ts';
import type { ValuesByName } from './json.ts';
import { isRuleTrue } from './json-logic.ts';

export interface ProgressBarStep {
  readonly state: string;
  readonly title: string;
  readonly place: 'before' | 'here' | 'after';
}

export interface StepGuardScope {
  readonly facts: ValuesByName;
  /** Visible, non-empty form values of a state, without secrets. Empty if the state has none. */
  readonly answers: (state: string) => ValuesByName;
}

/** Returns all steps of the journey that contains a state, without evaluating guards. Returns an empty array if the state is not a step. */
export function findJourneySteps({ progress = [] }: Flow, state: string): readonly JourneyStep[] {
  return progress.find((steps) => steps.some((step) => step.state === state)) ?? [];
}

/** Omits steps whose guard is false. Guards read the answers of earlier steps as `form`. Returns an empty array if the state is not a step. */
export function listIncludedSteps(
  flow: Flow,
  state: string,
  { facts, answers }: StepGuardScope,
): readonly JourneyStep[] {
  let form: ValuesByName = {};
  return findJourneySteps(flow, state).filter((step) => {
    const isTaken = step.state === state || isRuleTrue(step.guard, { ...facts, form });
    if (isTaken) form = { ...form, ...answers(step.state) };
    return isTaken;
  });
}

export function listEarlierSteps(flow: Flow, state: string, scope: StepGuardScope): readonly JourneyStep[] {
  const steps = listIncludedSteps(flow, state, scope);
  return steps.slice(
    0,
    Math.max(
      0,
      steps.findIndex((step) => step.state === state),
    ),
  );
}

export function buildProgressBar(
  flow: Flow,
  state: string,
  scope: StepGuardScope,
  language: string,
): readonly ProgressBarStep[] | null {
  const steps = listIncludedSteps(flow, state, scope);
  const currentIndex = steps.findIndex((step) => step.state === state);
  if (currentIndex < 0 || steps[currentIndex]?.bar === false) return null;
  return steps.map((step, index) => ({
    state: step.state,
    title: step.titles[language] ?? '',
    place: index < currentIndex ? 'before' : index === currentIndex ? 'here' : 'after',
  }));
}
