import type { Step } from '../../../../core/definition.ts';
import { say } from '../../../sources/say.ts';
import type { Finding } from '../../finding.ts';
import type { LintedScreen, Subject } from '../../subject.ts';
import { textsIn, type PlacedText } from '../../wording/read-texts.ts';

/** Texts of a journey's screens that name a step which it does not have, or count its steps otherwise: "paso 4" of three. */
export function namedSteps(subject: Subject): readonly Finding[] {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, { steps = [] }]) => {
    if (steps.length === 0) return [];
    const named = new RegExp(String.raw`(?<!\p{L})(?:${steps.join('|')}) (\d+)(?:\s*(?:de|/)\s*(\d+))?(?!\d)`, 'giu');
    const screens = new Map(
      [...subject.screens.values()].map((screen) => [screen.files.ui?.path, placesOf(screen, subject)] as const),
    );
    return textsIn(language, subject).flatMap((text) => {
      const places = /\d/.test(text.text) ? (screens.get(text.origin.file.path) ?? []) : [];
      return places.length === 0 ? [] : wrongIn(text, named, places);
    });
  });
}

/** Where a screen stands in each journey. */
function placesOf({ id }: LintedScreen, { flows }: Subject) {
  return flows.flatMap(({ flow }) =>
    (flow.progress ?? []).flatMap((journey) =>
      journey.flatMap(({ state }, index) => (flow.states[state]?.screen === id ? [{ journey, index }] : [])),
    ),
  );
}

function wrongIn(
  { file, pointer, text }: PlacedText,
  named: RegExp,
  places: ReturnType<typeof placesOf>,
): readonly Finding[] {
  return [...text.matchAll(named)].flatMap(([said, number, of]): readonly Finding[] => {
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
      : [
          {
            file,
            pointer,
            message: say`"${said}": this journey has ${journey.length} steps, and this screen is number ${index + 1}.`,
            hint: say`Write the number of the step, or better its name; the bar counts the steps by itself.`,
          },
        ];
  });
}

function isAlways({ guard }: Step): boolean {
  return guard === undefined;
}
