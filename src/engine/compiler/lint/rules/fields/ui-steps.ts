import type { State } from '../../../../core/definition.ts';
import { branchesOfState } from '../../../flow/branches-of-state.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { addressOf } from '../../places.ts';
import type { LintedFlow, LintedScreen, Subject } from '../../subject.ts';
import { mayMeet } from '../ui-twice.ts';

/** Two screens of one journey with the same name in its bar, or one behind the other with the same title: nobody knows which of the two is meant. A copied screen says so. */
export const uiSteps: LintRule<Subject> = {
  id: 'ui/steps',
  severity: 'W',
  find: ({ flows, screens }) => [
    ...flows.flatMap(({ flow }) =>
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
    ...flows.flatMap((flow) => titledAlike(flow, screens)),
  ],
};

interface Named {
  readonly screen: LintedScreen;
  readonly language: string;
  readonly name: string;
  readonly key: 'step' | 'title';
}

function namesOf(
  states: readonly string[],
  { states: own }: LintedFlow['flow'],
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
    const place = placeOf(one.screen, one.language, `/${one.key}`);
    if (!first || !place) return [];
    return [
      {
        ...place,
        message: say`The bar calls two steps "${one.name}": this one, and that of the screen "${first.screen.id}".`,
        hint: say`Give this step a name of its own in "step".`,
      },
    ];
  });
}

function placeOf({ files }: LintedScreen, language: string, pointer: string) {
  const base = files.ui;
  const file = files.translations.get(language) ?? base;
  return base && file ? { file, pointer: file === base ? pointer : addressOf(base, pointer) } : null;
}

function titledAlike({ flow }: LintedFlow, screens: Subject['screens']): readonly Finding[] {
  const seen = new Set<string>();
  return Object.values(flow.states).flatMap((state) => {
    const screen = screens.get(state.screen ?? '');
    if (!screen) return [];
    return [...followersOf(state, flow.states)].flatMap((id) => {
      const next = screens.get(id);
      const pair = [screen.id, id].sort().join(' ');
      if (!next || next === screen || seen.has(pair)) return [];
      seen.add(pair);
      return sameTitles(screen, next);
    });
  });
}

/** The screens that are drawn right behind a state, over whatever draws nothing. */
function followersOf(state: State, states: LintedFlow['flow']['states']): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<State>([state]);
  for (const one of seen) {
    if (one !== state && (one.screen ?? one.block) !== undefined) {
      if (one.screen !== undefined) found.add(one.screen);
      continue;
    }
    for (const { target } of branchesOfState(one)) {
      const next = states[target ?? ''];
      if (next) seen.add(next);
    }
  }
  return found;
}

function sameTitles(screen: LintedScreen, next: LintedScreen): readonly Finding[] {
  return [...next.uis].flatMap(([language, ui]) =>
    titlesOf(ui.title).flatMap(({ text, visible, at }): readonly Finding[] => {
      const twin = titlesOf(screen.uis.get(language)?.title ?? []).find((one) => one.text === text);
      const place = placeOf(next, language, at);
      if (!twin || !place || !mayMeet({ visible }, twin)) return [];
      return [
        {
          ...place,
          message: say`"${text}" is the title of the screen before as well, "${screen.id}": nobody sees that something changed.`,
          hint: say`Give each of the two a title that says what it is for.`,
        },
      ];
    }),
  );
}

function titlesOf(title: LintedScreen['ui']['title']) {
  return typeof title === 'string'
    ? [{ text: title, visible: [], at: '/title' }]
    : title.map(({ text, visible }, index) => ({
        text,
        visible: visible === undefined ? [] : [visible],
        at: `/title/${index}/text`,
      }));
}
