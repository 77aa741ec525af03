import { say } from '../../../sources/say.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import { addressOf } from '../../places.ts';
import type { AnalysedFlow, AnalysedScreen, Subject } from '../../subject.ts';

/** Two screens of one journey with the same name in its bar: nobody knows which of the two is meant. A copied screen says so. */
export const uiSteps: AnalysisRule<Subject> = {
  id: 'ui/steps',
  severity: 'W',
  find: ({ flows, screens }) =>
    flows.flatMap(({ flow }) =>
      (flow.progress ?? []).flatMap((journey) =>
        alike(
          namesOf(
            journey.map(({ state }) => state),
            flow,
            screens,
          ),
        ),
      ),
    ),
};

interface Named {
  readonly screen: AnalysedScreen;
  readonly language: string;
  readonly name: string;
  readonly key: 'step' | 'title';
}

function namesOf(
  states: readonly string[],
  { states: own }: AnalysedFlow['flow'],
  screens: Subject['screens'],
): readonly Named[] {
  const shown = new Set(states.map((state) => own[state]?.screen ?? ''));
  return [...shown].flatMap((id) => {
    const screen = screens.get(id);
    return screen
      ? [...screen.uis].map(([language, { step, title }]): Named => {
          return { screen, language, name: step ?? String(title), key: step === undefined ? 'title' : 'step' };
        })
      : [];
  });
}

function alike(all: readonly Named[]): readonly Finding[] {
  return all.flatMap((one, index): readonly Finding[] => {
    const first = all.slice(0, index).find(({ language, name }) => language === one.language && name === one.name);
    const base = one.screen.files.ui;
    const file = one.screen.files.translations.get(one.language) ?? base;
    if (!first || !base || !file) return [];
    return [
      {
        file,
        pointer: file === base ? `/${one.key}` : addressOf(base, `/${one.key}`),
        message: say`The bar calls two steps "${one.name}": this one, and that of the screen "${first.screen.id}".`,
        hint: say`Give this step a name of its own in "step".`,
      },
    ];
  });
}
