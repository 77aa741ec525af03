import type { State, Step } from '../../../core/definition.ts';
import { listStateBranches } from '../../flow/flow-parts.ts';
import { say } from '../../sources/say.ts';
import { type Finding, type LintedFlow, type LintedScreen, type Subject, setRule } from '../subject.ts';
import { locateTranslation } from '../places.ts';
import { mayMeet } from './ui-twice.ts';
import { textsIn, type LocatedText } from '../wording/read-texts.ts';

/** Reports two screens of a journey with the same name in the progress bar, and consecutive screens with the same title. Probably one was copied. */
export const uiSteps = setRule('ui/steps', 'W', ({ flows, screens }) => [
  ...flows.flatMap(({ flow }) =>
    (flow.progress ?? []).flatMap((journey) =>
      alike(
        listStepNames(
          journey.map(({ state }) => state),
          flow,
          screens,
        ),
      ),
    ),
  ),
  ...flows.flatMap((flow) => titledAlike(flow, screens)),
]);

interface StepName {
  readonly screen: LintedScreen;
  readonly language: string;
  readonly name: string;
  readonly key: 'step' | 'title';
}

function listStepNames(
  states: readonly string[],
  { states: own }: LintedFlow['flow'],
  screens: Subject['screens'],
): readonly StepName[] {
  const shown = new Set(states.map((state) => own[state]?.screen ?? ''));
  return [...shown].flatMap((id) => {
    const screen = screens.get(id);
    return screen
      ? [...screen.uis].map(([language, { step, title }]): StepName => {
          return { screen, language, name: step ?? String(title), key: step === undefined ? 'title' : 'step' };
        })
      : [];
  });
}

function alike(all: readonly StepName[]): readonly Finding[] {
  return all.flatMap((one, index) => {
    const first = all.slice(0, index).find(({ language, name }) => language === one.language && name === one.name);
    const place = locateUiText(one.screen, one.language, `/${one.key}`);
    if (!first || !place) return [];
    return {
      ...place,
      message: say`The bar calls two steps "${one.name}": this one, and that of the screen "${first.screen.id}".`,
      hint: say`Give this step a name of its own in "step".`,
    };
  });
}

function locateUiText({ files }: LintedScreen, language: string, pointer: string) {
  const base = files.ui;
  const file = files.translations.get(language) ?? base;
  return base && file ? { file, pointer: file === base ? pointer : locateTranslation(base, pointer) } : null;
}

function titledAlike({ flow }: LintedFlow, screens: Subject['screens']): readonly Finding[] {
  const seen = new Set<string>();
  return Object.values(flow.states).flatMap((state) => {
    const screen = screens.get(state.screen ?? '');
    if (!screen) return [];
    return [...listNextScreens(state, flow.states)].flatMap((id) => {
      const next = screens.get(id);
      const pair = [screen.id, id].sort().join(' ');
      if (!next || next === screen || seen.has(pair)) return [];
      seen.add(pair);
      return sameTitles(screen, next);
    });
  });
}

/** Returns the screens that may be drawn next, skipping states that draw nothing. */
function listNextScreens(state: State, states: LintedFlow['flow']['states']): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<State>([state]);
  for (const one of seen) {
    if (one !== state && (one.screen ?? one.block) !== undefined) {
      if (one.screen !== undefined) found.add(one.screen);
      continue;
    }
    for (const { target } of listStateBranches(one)) {
      const next = states[target ?? ''];
      if (next) seen.add(next);
    }
  }
  return found;
}

function sameTitles(screen: LintedScreen, next: LintedScreen): readonly Finding[] {
  return [...next.uis].flatMap(([language, ui]) =>
    listTitles(ui.title).flatMap(({ text, visible, at }) => {
      const twin = listTitles(screen.uis.get(language)?.title ?? []).find((one) => one.text === text);
      const place = locateUiText(next, language, at);
      if (!twin || !place || !mayMeet({ visible }, twin)) return [];
      return {
        ...place,
        message: say`"${text}" is the title of the screen before as well, "${screen.id}": nobody sees that something changed.`,
        hint: say`Give each of the two a title that says what it is for.`,
      };
    }),
  );
}

function listTitles(title: LintedScreen['ui']['title']) {
  return typeof title === 'string'
    ? [{ text: title, visible: [], at: '/title' }]
    : title.map(({ text, visible }, index) => ({
        text,
        visible: visible === undefined ? [] : [visible],
        at: `/title/${index}/text`,
      }));
}

/** Reports texts that mention a step that the journey does not have, or a wrong number of steps: "paso 4" of three. */
export function namedSteps(subject: Subject): readonly Finding[] {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, { steps = [] }]) => {
    if (steps.length === 0) return [];
    const named = new RegExp(String.raw`(?<!\p{L})(?:${steps.join('|')}) (\d+)(?:\s*(?:de|/)\s*(\d+))?(?!\d)`, 'giu');
    const screens = new Map(
      [...subject.screens.values()].map(
        (screen) => [screen.files.ui?.path, listStepPositions(screen, subject)] as const,
      ),
    );
    return textsIn(language, subject).flatMap((text) => {
      const places = /\d/.test(text.text) ? (screens.get(text.origin.file.path) ?? []) : [];
      return places.length === 0 ? [] : wrongIn(text, named, places);
    });
  });
}

function listStepPositions({ id }: LintedScreen, { flows }: Subject) {
  return flows.flatMap(({ flow }) =>
    (flow.progress ?? []).flatMap((journey) =>
      journey.flatMap(({ state }, index) => (flow.states[state]?.screen === id ? [{ journey, index }] : [])),
    ),
  );
}

function wrongIn(
  { file, pointer, text }: LocatedText,
  named: RegExp,
  places: ReturnType<typeof listStepPositions>,
): readonly Finding[] {
  return [...text.matchAll(named)].flatMap(([said, number, of]) => {
    const isRight = places.some(({ journey, index }) => {
      const least = journey.filter(isAlways).length;
      if (of === undefined) return Number(number) >= 1 && Number(number) <= journey.length;
      const isCount = Number(of) >= least && Number(of) <= journey.length;
      const before = journey.slice(0, index);
      return isCount && Number(number) > before.filter(isAlways).length && Number(number) <= index + 1;
    });
    const [{ journey, index } = { journey: [], index: 0 }] = places;
    return isRight
      ? []
      : {
          file,
          pointer,
          message: say`"${said}": this journey has ${journey.length} steps, and this screen is number ${index + 1}.`,
          hint: say`Write the number of the step, or better its name; the bar counts the steps by itself.`,
        };
  });
}

function isAlways({ guard }: Step): boolean {
  return guard === undefined;
}
