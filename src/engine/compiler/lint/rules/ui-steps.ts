import type { State, Step } from '../../../core/definition.ts';
import { listStateBranches } from '../../flow/flow-parts.ts';
import { explain } from '../../sources/say.ts';
import type { LintedFlow, LintedScreen } from '../subject.ts';
import { eachFlow, eachWording, type Finding, locateUiText, reportAt, setRule } from '../rule.ts';
import { mayMeet } from './ui-twice.ts';

const namedAlike = eachFlow(({ flow }, { screens }) =>
  (flow.progress ?? []).flatMap((journey) => {
    const shown = new Set(journey.map(({ state }) => flow.states[state]?.screen ?? ''));
    const all = [...shown].flatMap((id) => {
      const screen = screens.get(id);
      return [...(screen?.uis ?? [])].flatMap(([language, { step, title }]) => {
        const place = screen && locateUiText(screen, language, step === undefined ? '/title' : '/step');
        return place ? [{ place, id, language, name: step ?? String(title) }] : [];
      });
    });
    return all.flatMap(({ place, language, name }, index) => {
      const first = all.slice(0, index).find((one) => one.language === language && one.name === name);
      if (!first) return [];
      return reportAt(place)(explain`The bar calls two steps "${name}": this one, and that of the screen "${first.id}".
        Give this step a name of its own in "step".`);
    });
  }),
);

const titledAlike = eachFlow(({ flow }, { screens }) => {
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
});

/** Reports two screens of a journey with the same name in the progress bar, and consecutive screens with the same title. Probably one was copied. */
export const uiSteps = setRule('ui/steps', 'W', namedAlike, titledAlike);

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
      return reportAt(place)(explain`
        "${text}" is the title of the screen before as well, "${screen.id}": nobody sees that something changed.
        Give each of the two a title that says what it is for.`);
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
export const namedSteps = eachWording(({ steps = [] }, { screens, flows }) => {
  if (steps.length === 0) return null;
  const named = new RegExp(String.raw`(?<!\p{L})(?:${steps.join('|')}) (\d+)(?:\s*(?:de|/)\s*(\d+))?(?!\d)`, 'giu');
  const byFile = new Map([...screens.values()].map(({ id, files }) => [files.ui?.path, listPositions(id, flows)]));
  return ({ file, pointer, text, origin }) => {
    const places = byFile.get(origin.file.path) ?? [];
    const [first] = places;
    return [...(first ? text.matchAll(named) : [])].flatMap(([said, number, of]) => {
      const isRight = places.some(({ journey, index }) => {
        const least = journey.filter(isAlways).length;
        if (of === undefined) return Number(number) >= 1 && Number(number) <= journey.length;
        const isCount = Number(of) >= least && Number(of) <= journey.length;
        const before = journey.slice(0, index);
        return isCount && Number(number) > before.filter(isAlways).length && Number(number) <= index + 1;
      });
      if (!first || isRight) return [];
      return reportAt({ file, pointer })(explain`
        "${said}": this journey has ${first.journey.length} steps, and this screen is number ${first.index + 1}.
        Write the number of the step, or better its name; the bar counts the steps by itself.`);
    });
  };
});

function listPositions(screen: string, flows: readonly LintedFlow[]) {
  return flows.flatMap(({ flow }) =>
    (flow.progress ?? []).flatMap((journey) =>
      journey.flatMap(({ state }, index) => (flow.states[state]?.screen === screen ? [{ journey, index }] : [])),
    ),
  );
}

function isAlways({ guard }: Step): boolean {
  return guard === undefined;
}
