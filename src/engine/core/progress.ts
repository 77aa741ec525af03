import type { Flow, Step } from './definition.ts';
import { isObject, type Values } from './json.ts';
import { holds } from './logic.ts';
import type { ScreenData } from './screen.ts';

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

/** The name in the context of what earlier steps asked. */
const earlier = 'earlier';

/** The context of a screen's rules, with the answers of earlier steps that it declares: of these values no secret may be one. */
export function withEarlier({ earlier: names }: Pick<ScreenData, 'earlier'>, values: Values, context: Values): Values {
  if (names === undefined) return context;
  const kept = names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]] as const] : []));
  return { ...context, [earlier]: Object.fromEntries(kept) };
}

/** The form as rules see it: its own values, and beside them the answers of earlier steps. */
export function formWithEarlier(form: Values, context: Values): Values {
  const answers = context[earlier];
  return isObject(answers) ? { ...answers, ...form } : form;
}

/** Another context for a form that is drawn anew, with the earlier answers that it was opened with. */
export function keepEarlier(opened: Values | undefined, context: Values): Values {
  return opened && earlier in opened ? { ...context, [earlier]: opened[earlier] } : context;
}
