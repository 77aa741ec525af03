import type { Flow } from '../core/flow-and-screen-types.ts';
import type { ValuesByName } from '../core/json.ts';
import { listEarlierSteps } from '../core/journey-progress.ts';
import type { FlowForms } from './flow-forms.ts';
import type { LoadedScreen } from './flow-services.ts';
import type { FlowView } from './flow-state.ts';

export interface ReviewedStep {
  readonly state: string;
  readonly title: string;
  readonly screen: LoadedScreen;
  /** Visible values of the form. Stored input has no secrets. */
  readonly values: ValuesByName;
}

export interface ReviewedAnswers {
  readonly steps: readonly ReviewedStep[];
  /** Navigates back to a step. Keeps the input of all steps. */
  readonly change: (state: string) => void;
}

export function listReviewedSteps(
  flow: Flow,
  { name, screen }: FlowView,
  forms: FlowForms,
): readonly ReviewedStep[] | null {
  if (!screen?.validator.screen.ui.review) return null;
  const { language } = screen.validator.screen;
  return listEarlierSteps(flow, name, forms.createStepScope()).flatMap(({ state, titles }) => {
    const loaded = forms.storedForms.byState.get(state)?.screen;
    // opens the form, because the stored input lacks the values of `prefill`
    const form = loaded && forms.openStateForm(state, flow.states[state] ?? {}, loaded);
    return form ? [{ state, title: titles[language] ?? '', screen: loaded, values: form.visibleValues }] : [];
  });
}
